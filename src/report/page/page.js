"use strict";
/* The page of a report: its charts, drawn by uPlot, and the table of all runs. */
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  const style = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

  function element(name, properties = {}, ...children) {
    const made = Object.assign(document.createElement(name), properties);
    made.append(...children);
    return made;
  }

  /* Without the noise of binary fractions. */
  const shorten = (value) => String(Number(value.toPrecision(6)));

  /* ---- charts ---- */

  /* Where each x is drawn. On a logarithmic axis, 0 is put left of a break. */
  function places(figure, log) {
    const positive = figure.x.filter((x) => x > 0);
    const ratio = positive.length > 1 ? positive[1] / positive[0] : 2;
    const zero = positive[0] / Math.min(10, Math.max(2, ratio));
    const broken = log && figure.x.includes(0) && positive.length > 0;
    return {
      x: figure.x.map((x) => (!log || x > 0 ? x : x === 0 && broken ? zero : null)),
      zero: broken ? zero : null,
      gap: broken ? Math.sqrt(zero * positive[0]) : null,
    };
  }

  /* Each curve, ours or the reference's, over all places; undefined where it has no point. */
  function strands(figure, place) {
    const kept = place.x.map((x, k) => k).filter((k) => place.x[k] != null);
    const spread = (curve, values) => {
      const all = new Array(figure.x.length).fill(undefined);
      curve.columns.forEach((column, k) => {
        if (values[k] != null) all[column] = values[k];
      });
      return kept.map((k) => all[k]);
    };
    const scaled = (curve, values) => spread(curve, values.map((value) => value && value * figure.factor));
    const end = (mean, half, sign) => (mean == null || half == null ? null : mean + sign * half);
    const found = [];
    for (const curve of figure.curves) {
      const colour = dark.matches ? curve.dark : curve.colour;
      found.push({
        name: curve.name, colour,
        mean: scaled(curve, curve.mean), low: scaled(curve, curve.low), high: scaled(curve, curve.high), shown: spread(curve, curve.shown),
      });
      if (curve.reference.some((value) => value != null))
        found.push({
          name: curve.name + ", " + figure.reference_name, colour, reference: true,
          mean: scaled(curve, curve.reference),
          low: scaled(curve, curve.reference.map((mean, k) => end(mean, curve.reference_half[k], -1))),
          high: scaled(curve, curve.reference.map((mean, k) => end(mean, curve.reference_half[k], 1))),
          shown: spread(curve, curve.reference_shown),
        });
    }
    return { x: kept.map((k) => place.x[k]), texts: kept.map((k) => figure.x_texts[k]), found };
  }

  /* The range of what is shown, intervals included. */
  function rangeOf(u, found, log) {
    let least = Infinity, most = -Infinity;
    const [first, last] = u.series[0].idxs; /* those within the range of x */
    found.forEach((strand, s) => {
      for (let k = first; u.series[s + 1].show && k <= last; k++) {
        const mean = strand.mean[k], low = strand.low[k] ?? mean, high = strand.high[k] ?? mean;
        if (mean == null && low != null) { /* a bound */
          least = Math.min(least, low);
          most = Math.max(most, low);
        }
        if (mean == null || (log && mean <= 0)) continue;
        least = Math.min(least, log && low <= 0 ? mean : low);
        most = Math.max(most, high);
      }
    });
    if (least > most) return log ? [1, 10] : [0, 1];
    if (log) {
      const room = least < most ? (most / least) ** 0.06 : 1.5;
      return [least / room, most * room];
    }
    const room = least < most ? (most - least) * 0.07 : Math.abs(least) * 0.05 || 1;
    return [least - room, most + room];
  }

  function padded(least, most, log, numbers) {
    if (!numbers) return [least - 0.5, most + 0.5];
    if (least == null) return [log ? 1 : 0, log ? 10 : 1];
    if (log) {
      const room = least < most ? (most / least) ** 0.03 : 2;
      return [least / room, most * room];
    }
    const room = least < most ? (most - least) * 0.025 : 1;
    return [least - room, most + room];
  }

  /* Half the width of the break, in pixels of the canvas. */
  const slit = () => 5 * uPlot.pxRatio;

  /* Draw inside the frame only, and beside the break where there is one. */
  function inFrame(u, draw, gap = null) {
    const { left, top, width, height } = u.bbox;
    const x = gap == null ? left : u.valToPos(gap, "x", true);
    const cut = Math.max(left, x - slit()), on = gap == null ? left : Math.max(left, x + slit());
    u.ctx.save();
    u.ctx.beginPath();
    u.ctx.rect(left, top, cut - left, height);
    u.ctx.rect(on, top, left + width - on, height);
    u.ctx.clip();
    draw(u.ctx, uPlot.pxRatio);
    u.ctx.restore();
  }

  /* Pixels of the ends of an interval; one that a logarithmic axis does not have is open: it is
     drawn to the edge, without a cap. */
  function ends(u, strand, k, log) {
    const mean = strand.mean[k], low = strand.low[k], high = strand.high[k];
    if (mean == null || low == null || (log && mean <= 0)) return null;
    const open = log && low <= 0;
    return {
      x: u.valToPos(u.data[0][k], "x", true),
      low: open ? u.bbox.top + u.bbox.height : u.valToPos(low, "y", true),
      high: high == null ? u.bbox.top : u.valToPos(high, "y", true),
      open,
      endless: high == null,
    };
  }

  function drawBars(u, strand, log) {
    inFrame(u, (ctx, ratio) => {
      ctx.strokeStyle = strand.colour;
      ctx.lineWidth = 1.3 * ratio;
      if (strand.reference) ctx.setLineDash([3 * ratio, 2 * ratio]);
      ctx.beginPath();
      strand.mean.forEach((_, k) => {
        const end = ends(u, strand, k, log), cap = 4 * ratio;
        if (!end) return;
        ctx.moveTo(end.x, end.low);
        ctx.lineTo(end.x, end.high);
        for (const y of [...(end.open ? [] : [end.low]), ...(end.endless ? [] : [end.high])]) {
          ctx.moveTo(end.x - cap, y);
          ctx.lineTo(end.x + cap, y);
        }
      });
      ctx.stroke();
    });
  }

  /* What is at least so much: a hollow triangle that points up. */
  function drawBounds(u, strand, log) {
    inFrame(u, (ctx, ratio) => {
      ctx.strokeStyle = strand.colour;
      ctx.lineWidth = 1.5 * ratio;
      ctx.beginPath();
      strand.mean.forEach((mean, k) => {
        const low = strand.low[k];
        if (mean != null || low == null || (log && low <= 0)) return;
        const x = u.valToPos(u.data[0][k], "x", true), y = u.valToPos(low, "y", true), half = 5 * ratio;
        ctx.moveTo(x - half, y);
        ctx.lineTo(x + half, y);
        ctx.lineTo(x, y - 1.7 * half);
        ctx.closePath();
      });
      ctx.stroke();
    });
  }

  function drawBand(u, strand, log, gap) {
    inFrame(u, (ctx) => {
      const path = strand.mean.map((_, k) => ends(u, strand, k, log)).filter((end) => end);
      ctx.globalAlpha = 0.2;
      ctx.fillStyle = strand.colour;
      ctx.beginPath();
      path.forEach((end) => ctx.lineTo(end.x, end.high));
      path.reverse().forEach((end) => ctx.lineTo(end.x, end.low));
      ctx.fill();
    }, gap);
  }

  function drawIntervals(u, figure, found, log, place) {
    found.forEach((strand, s) => {
      if (!u.series[s + 1].show) return;
      if (figure.bands && !strand.reference) drawBand(u, strand, log, place.gap);
      else drawBars(u, strand, log);
      drawBounds(u, strand, log);
    });
  }

  function drawBreak(u, place) {
    if (place.gap == null) return;
    inFrame(u, (ctx, ratio) => {
      const x = u.valToPos(place.gap, "x", true);
      ctx.strokeStyle = style("--quiet");
      ctx.lineWidth = ratio;
      ctx.setLineDash([2 * ratio, 4 * ratio]);
      ctx.beginPath();
      ctx.moveTo(x, u.bbox.top);
      ctx.lineTo(x, u.bbox.top + u.bbox.height);
      ctx.stroke();
    });
  }

  /* Tics of a logarithmic axis: powers of ten, or round steps where these are too few. */
  function logTics(least, most) {
    const tics = [];
    if (most / least > 20) {
      const decades = Math.log10(most / least);
      for (let p = Math.floor(Math.log10(least)); 10 ** p <= most; p++)
        for (const m of decades < 3 ? [1, 2, 5] : [1]) tics.push(m * 10 ** p);
    } else {
      let step = 10 ** Math.floor(Math.log10((most - least) / 4));
      while ((most - least) / step > 6) step *= (most - least) / step > 12 ? 5 : 2;
      for (let k = Math.ceil(least / step); k * step <= most; k++) tics.push(k * step);
    }
    return tics.filter((tic) => tic >= least && tic <= most);
  }

  /* Of x: at every place where these are few or no numbers. */
  function ticsOf(figure, log, place, x) {
    if (!figure.numbers || (log && x.length <= 12)) return () => x;
    if (!log) return undefined;
    return (u, axis, least, most) =>
      (place.zero == null ? logTics(least, most) : [place.zero, ...logTics(place.gap, most)]);
  }

  function series(strand, place) {
    return {
      label: strand.name,
      stroke: strand.colour,
      width: strand.reference ? 1.3 : 2,
      dash: strand.reference ? [6, 4] : undefined,
      points: {
        show: true, size: strand.reference ? 8 : 7, width: 1.5, stroke: strand.colour,
        fill: strand.reference ? style("--ground") : strand.colour,
      },
      value: (u, mean, s, k) => (k == null ? null : strand.shown[k]) ?? "–",
      /* the line is cut at the break */
      gaps: (u) => {
        if (place.gap == null) return [];
        const x = u.valToPos(place.gap, "x", true);
        return [[x - slit(), x + slit()]];
      },
    };
  }

  const heightOf = (width) => Math.round(Math.min(420, Math.max(260, width * 0.55)));

  /* The font of an upright label: smaller if it is longer than its axis, but readable. */
  function labelFont(text, room) {
    const pen = document.createElement("canvas").getContext("2d");
    pen.font = `bold 12px ${style("--font")}`;
    return `bold ${Math.max(8, Math.min(12, Math.floor((12 * room) / pen.measureText(text).width)))}px ${style("--font")}`;
  }

  function options(figure, state, place, strand, width) {
    const ink = style("--quiet"), line = style("--line");
    const axis = { stroke: ink, grid: { stroke: line, width: 1 }, ticks: { stroke: line, width: 1 } };
    const texts = new Map(strand.x.map((x, k) => [x, strand.texts[k]]));
    return {
      width, height: heightOf(width),
      series: [{ label: figure.x_label, value: (u, x, s, k) => (k == null ? "–" : strand.texts[k]) },
        ...strand.found.map((each) => series(each, place))],
      scales: {
        x: { time: false, distr: state.logX ? 3 : 1, range: (u, least, most) => {
          if (strand.x.length === 1) least = most = strand.x[0]; /* uPlot would go on to 100 */
          return padded(least, most, state.logX, figure.numbers);
        } },
        y: { distr: state.logY ? 3 : 1, range: (u) => rangeOf(u, strand.found, state.logY) },
      },
      axes: [
        { ...axis, label: figure.x_label, size: 34, labelSize: 24, splits: ticsOf(figure, state.logX, place, strand.x),
          filter: (u, splits) => splits,
          values: (u, splits) => splits.map((x) => (x === place.zero ? "0" : texts.get(x) ?? shorten(x))) },
        { ...axis, label: figure.label, size: 58, labelSize: 22, labelFont: labelFont(figure.label, heightOf(width) - 80),
          splits: state.logY ? (u, axis, least, most) => logTics(least, most) : undefined,
          filter: (u, splits) => splits,
          values: (u, splits) => splits.map((y) => (y == null ? "" : shorten(y))) },
      ],
      cursor: { points: { size: 11 }, drag: { x: true, y: false } },
      legend: { live: true, markers: {
        width: 2,
        dash: (u, s) => (strand.found[s - 1].reference ? "dashed" : "solid"),
        fill: (u, s) => (strand.found[s - 1].reference ? "transparent" : strand.found[s - 1].colour),
      } },
      hooks: {
        drawAxes: [(u) => { drawBreak(u, place); drawIntervals(u, figure, strand.found, state.logY, place); }],
      },
    };
  }

  /* uPlot's legend hides and shows curves by the mouse; let the keyboard do it too. */
  function openLegend(plot) {
    const legend = plot.root.querySelector(".u-legend");
    legend.setAttribute("role", "group"); /* buttons, not a table of data */
    legend.setAttribute("aria-label", "Curves, to be shown or hidden");
    legend.querySelectorAll("tbody, tr, td").forEach((each) => each.setAttribute("role", "presentation"));
    plot.root.querySelectorAll(".u-series th").forEach((head, s) => {
      if (s === 0) return;
      head.tabIndex = 0;
      head.setAttribute("role", "button");
      const say = () => head.setAttribute("aria-pressed", String(plot.series[s].show));
      say();
      head.addEventListener("click", say);
      head.addEventListener("keydown", (event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        head.click();
      });
    });
  }

  /* Whether something holds for the x and y of a point, ours or the reference's. */
  function someDrawn(figure, holds) {
    return figure.curves.some((curve) => [curve.mean, curve.reference].some((values) =>
      values.some((value, k) => value != null && holds(figure.x[curve.columns[k]], value))));
  }

  function makeChart(holder) {
    const figure = data.figures[Number(holder.dataset.figure)];
    /* a logarithmic axis needs something to show */
    const canLog = {
      logX: figure.numbers && someDrawn(figure, (x) => x > 0),
      logY: someDrawn(figure, (x, y) => y > 0),
    };
    const state = { logX: figure.log_x && canLog.logX, logY: figure.log_y && canLog.logY };
    const chart = { name: figure.name, plot: null };
    const frame = element("div");

    function draw() {
      const shown = chart.plot ? chart.plot.series.map((each) => each.show) : [];
      if (chart.plot) chart.plot.destroy();
      const place = places(figure, state.logX), strand = strands(figure, place);
      const table = [strand.x, ...strand.found.map((each) => each.mean)];
      chart.plot = new uPlot(options(figure, state, place, strand, holder.clientWidth), table, frame);
      const picture = chart.plot.root.querySelector(".u-wrap");
      picture.setAttribute("role", "img");
      picture.setAttribute("aria-label", holder.dataset.alternative);
      shown.forEach((show, s) => s > 0 && !show && chart.plot.setSeries(s, { show }));
      openLegend(chart.plot);
    }

    function toggle(name, key) {
      const button = element("button", { type: "button", textContent: name });
      button.setAttribute("aria-pressed", String(state[key]));
      button.addEventListener("click", () => {
        state[key] = !state[key];
        button.setAttribute("aria-pressed", String(state[key]));
        draw();
      });
      return button;
    }

    const switches = element("div", { className: "switches" });
    switches.setAttribute("role", "group");
    switches.setAttribute("aria-label", "Axes");
    if (canLog.logX) switches.append(toggle("log x", "logX"));
    if (canLog.logY) switches.append(toggle("log y", "logY"));
    holder.append(switches, frame);
    draw();
    new ResizeObserver(() => {
      const width = holder.clientWidth;
      if (width > 0 && width !== chart.plot.width)
        chart.plot.setSize({ width, height: heightOf(width) });
    }).observe(holder);
    dark.addEventListener("change", draw);
    return chart;
  }

  /* for those who look closer, in the browser's console */
  window.spinneyCharts = [...document.querySelectorAll(".chart")].map(makeChart);

  /* ---- wide tables ---- */

  /* Fade the edge that more is behind; the second column of those that stay is beside the first. */
  for (const frame of document.querySelectorAll(".wide")) {
    const tell = () => {
      const first = frame.querySelector("th");
      if (first) frame.style.setProperty("--first", `${first.getBoundingClientRect().width}px`);
      frame.classList.toggle("more-left", frame.scrollLeft > 1);
      frame.classList.toggle("more-right", frame.scrollLeft + frame.clientWidth < frame.scrollWidth - 1);
    };
    frame.addEventListener("scroll", tell, { passive: true });
    const watch = new ResizeObserver(tell);
    watch.observe(frame);
    if (frame.firstElementChild) watch.observe(frame.firstElementChild);
  }

  /* ---- all runs ---- */

  const STEP = 100;
  const { names, rows } = data.runs;
  const table = document.getElementById("run-table"), filter = document.getElementById("filter");
  const more = document.getElementById("more"), found = document.getElementById("found");
  const body = element("tbody");
  let order = { column: -1, down: false }, limit = STEP;

  const number = (value) => (value === "" || value == null ? NaN : Number(value));

  function compare(a, b) {
    const x = number(a), y = number(b);
    if (!Number.isNaN(x) && !Number.isNaN(y)) return x - y;
    if (a == null || b == null) return (a == null) - (b == null);
    return String(a).localeCompare(String(b));
  }

  /* NAME OP VALUE, as in a specification, or a word that stands somewhere in the row. */
  function condition(word) {
    const part = /^([\w.-]+)(<=|>=|!=|=|<|>)(.+)$/.exec(word);
    const column = part ? names.indexOf(part[1]) : -1;
    if (column < 0) return (row) => row.some((cell) => String(cell ?? "").includes(word));
    const wanted = part[3], holds = {
      "=": (c) => c === 0, "!=": (c) => c !== 0, "<": (c) => c < 0,
      "<=": (c) => c <= 0, ">": (c) => c > 0, ">=": (c) => c >= 0,
    }[part[2]];
    return (row) => row[column] != null && holds(compare(row[column], wanted));
  }

  function cellText(value) {
    if (value == null) return "–";
    return typeof value === "number" && !Number.isInteger(value) ? shorten(value) : String(value);
  }

  function show() {
    const conditions = filter.value.split(/\s+/).filter((word) => word).map(condition);
    const kept = rows.filter((row) => conditions.every((holds) => holds(row)));
    if (order.column >= 0)
      kept.sort((a, b) => compare(a[order.column], b[order.column]) * (order.down ? -1 : 1));
    body.replaceChildren(...kept.slice(0, limit).map((row) =>
      element("tr", {}, ...row.map((value, column) =>
        element(column ? "td" : "th", { textContent: cellText(value), scope: "row" })))));
    found.textContent = `${kept.length} of ${rows.length} runs`;
    more.hidden = kept.length <= limit;
  }

  const heads = names.map((name, column) => {
    const button = element("button", { type: "button", textContent: name });
    const head = element("th", { scope: "col" }, button);
    button.addEventListener("click", () => {
      order = { column, down: order.column === column && !order.down };
      heads.forEach((each) => each.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", order.down ? "descending" : "ascending");
      show();
    });
    return head;
  });
  table.append(element("thead", {}, element("tr", {}, ...heads)), body);
  filter.addEventListener("input", () => { limit = STEP; show(); });
  more.addEventListener("click", () => { limit += STEP; show(); });
  show();
})();
