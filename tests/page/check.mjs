// Checks of a report's page in a browser; see run.
import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { openBrowser, openPage } from "./browser.mjs";

const [program, folder, keep] = process.argv.slice(2);
const text = (name) => readFileSync(`${folder}/${name}`, "utf8");
const address = (name) => `file://${folder}/${name}`;
const hasCharts = text("whole/report.html").includes('class="chart"');

// ---- the records, summed up once more ----

const runs = text("whole/manifest.jsonl").trim().split("\n").map((line) => JSON.parse(line));
const QUANTILE = { 4: 3.18244630528370959, 8: 2.36462425159278534, 20: 2.09302405440830977 }; // Student's t, by the number of runs

function summary(values) {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, half: QUANTILE[values.length] * Math.sqrt(squares / (values.length - 1) / values.length) };
}

function accuracies(gamma, replicas) {
  return runs.filter((run) => run.settings.gamma === gamma && run.settings.replicas === replicas)
    .map((run) => run.results.test_accuracy);
}

const close = (actual, expected, what) =>
  assert.ok(Math.abs(actual - expected) <= 1e-12 * Math.abs(expected), `${what}: ${actual}, expected ${expected}`);

// ---- checks ----

const chart = (name) => `spinneyCharts.find((each) => each.name === "${name}")`;
const legend = (name, row) => `${chart(name)}.plot.root.querySelectorAll(".u-series th")[${row}]`;
const toggle = (name, label) => `[...document.querySelectorAll("#figure-${name} .switches button")].find((b) => b.textContent === "${label}")`;

async function checkQuiet(page, name) {
  assert.deepEqual(page.complaints, [], `${name} complains`);
  assert.deepEqual(page.requests.filter((url) => !url.startsWith("data:")), [address(name)], `${name} loads`);
}

// The page itself must not scroll sideways; wide tables do, in frames of their own.
async function checkWidth(page, width) {
  assert.ok(await page.evaluate("document.documentElement.scrollWidth") <= width, `wider than ${width}`);
}

async function checkData(page) {
  const { x, series, labels } = await page.evaluate(`(() => { const plot = ${chart("test-accuracy")}.plot;
    return { x: [...plot.data[0]], series: plot.data.slice(1).map((s) => s.map((v) => v ?? null)),
      labels: plot.series.slice(1).map((s) => s.label) }; })()`);
  assert.deepEqual(labels, ["replicas = 3", "replicas = 3, paper", "replicas = 5", "replicas = 5, paper"]);
  assert.deepEqual(x, [0.05, 0.1, 0.2, 0.4, 0.8, 1.6]); // 0 left of the break
  ["0", "0.1", "0.2", "0.4", "0.8"].forEach((gamma, k) => {
    close(series[0][k], 100 * summary(accuracies(gamma, "3")).mean, `3 at ${gamma}`);
    close(series[2][k], 100 * summary(accuracies(gamma, "5")).mean, `5 at ${gamma}`);
  });
  assert.equal(series[0][5], null);
  assert.deepEqual(series[1], [79, 82, 85, 95, 86, 84]);
  assert.deepEqual(series[3], [81, 84, null, 88, null, null]);

  const flips = await page.evaluate(`${chart("flips")}.plot.data.map((s) => [...s])`);
  assert.deepEqual(flips[0], [0, 0.01, 0.1, 0.3]);
  const third = runs.filter((run) => run.settings.gamma === "0.2").map((run) => run.curves.flips.accuracy[2]);
  close(flips[3][2], 100 * summary(third).mean, "flips");

  const numbers = await page.evaluate(`[...document.querySelectorAll("#figure-test-accuracy .numbers tbody tr")]
    .map((row) => [...row.cells].map((cell) => cell.textContent))`);
  const first = summary(accuracies("0", "3"));
  assert.deepEqual(numbers[0], ["3", "0", `${(100 * first.mean).toFixed(1)} ± ${(100 * first.half).toFixed(1)}`, "4", "79 ± 2", "+0.40"]);
}

// The mean and its interval under the mouse, in the legend.
async function checkHover(page) {
  const { x, y } = await page.evaluate(`(() => { const plot = ${chart("test-accuracy")}.plot;
    plot.root.scrollIntoView({ block: "center", behavior: "instant" }); plot.syncRect();
    const frame = plot.over.getBoundingClientRect();
    return { x: frame.x + plot.valToPos(0.4, "x"), y: frame.y + 40 }; })()`);
  await page.send("Input.dispatchMouseEvent", { type: "mouseMoved", x, y });
  const shown = await page.evaluate(`[...${chart("test-accuracy")}.plot.root.querySelectorAll(".u-value")].map((e) => e.textContent)`);
  const { mean, half } = summary(accuracies("0.4", "3"));
  assert.deepEqual(shown.slice(0, 3), ["0.4", `${(100 * mean).toFixed(1)} ± ${(100 * half).toFixed(1)}`, "95.0 ± 0.1"]);
}

async function checkLegend(page) {
  const pixels = `(() => { const { ctx } = ${chart("test-accuracy")}.plot; const { width, height } = ctx.canvas;
    const rgba = ctx.getImageData(0, 0, width, height).data; let blue = 0;
    for (let k = 0; k < rgba.length; k += 4) blue += rgba[k] === 0 && rgba[k + 1] === 0x72 && rgba[k + 2] === 0xb2;
    return blue; })()`;
  const shows = `${chart("test-accuracy")}.plot.series[1].show`;
  const before = await page.evaluate(pixels);
  assert.ok(before > 500, `only ${before} pixels of the first curve`);
  await page.click(legend("test-accuracy", 1));
  assert.equal(await page.evaluate(shows), false);
  assert.ok(await page.evaluate(pixels) < before * 0.6, "the curve is still there");
  assert.equal(await page.evaluate(`${legend("test-accuracy", 1)}.getAttribute("aria-pressed")`), "false");
  // it stays hidden when the axis changes
  await page.click(toggle("test-accuracy", "log y"));
  assert.equal(await page.evaluate(shows), false);
  await page.click(toggle("test-accuracy", "log y"));
  await page.click(legend("test-accuracy", 1));
  assert.equal(await page.evaluate(shows), true);
  assert.equal(await page.evaluate(pixels), before);
  // the same by the keyboard
  await page.evaluate(`${legend("test-accuracy", 3)}.focus()`);
  for (const type of ["keyDown", "keyUp"]) await page.send("Input.dispatchKeyEvent", { type, key: "Enter", code: "Enter" });
  assert.equal(await page.evaluate(`${chart("test-accuracy")}.plot.series[3].show`), false);
  for (const type of ["keyDown", "keyUp"]) await page.send("Input.dispatchKeyEvent", { type, key: "Enter", code: "Enter" });
}

async function checkLog(page) {
  const state = `(() => { const plot = ${chart("test-accuracy")}.plot;
    return { distr: plot.scales.x.distr, x: plot.data[0][0], pressed: ${toggle("test-accuracy", "log x")}.getAttribute("aria-pressed") }; })()`;
  assert.deepEqual(await page.evaluate(state), { distr: 3, x: 0.05, pressed: "true" });
  await page.click(toggle("test-accuracy", "log x"));
  assert.deepEqual(await page.evaluate(state), { distr: 1, x: 0, pressed: "false" });
  await page.click(toggle("test-accuracy", "log x"));
  await page.click(toggle("flips", "log y"));
  assert.equal(await page.evaluate(`${chart("flips")}.plot.scales.y.distr`), 3);
  await page.click(toggle("flips", "log y"));
}

// An axis that would have nothing to show starts linear, and has no button.
async function checkLogOfNothing(page) {
  const state = (name) => page.evaluate(`(() => { const { plot } = ${chart(name)};
    return { x: plot.scales.x.distr, from: plot.scales.x.min, to: plot.scales.x.max, y: plot.scales.y.distr, points: plot.data[1].filter((v) => v != null).length,
      buttons: [...document.querySelectorAll("#figure-${name} .switches button")].map((b) => b.textContent) }; })()`);
  const { from, to, ...zeros } = await state("zeros");
  assert.ok(from < 0.05 && to > 0.8);
  assert.deepEqual(zeros, { x: 3, y: 1, points: 5, buttons: ["log x"] });
  assert.deepEqual(await state("at-zero"), { x: 1, from: -1, to: 1, y: 1, points: 1, buttons: ["log y"] });
}

// An interval that reaches 0 runs to the lower edge of a logarithmic axis, and has no cap there.
async function checkOpenInterval(page) {
  const { mean, half } = summary([13, 13, 1, 1, 1, 1, 1, 1]); // at 0.4
  assert.ok(half > mean);
  const { distr, foot, head } = await page.evaluate(`(() => { const { plot } = ${chart("wide")}, { top, height } = plot.bbox;
    const x = Math.floor(plot.valToPos(0.4, "x", true));
    const blue = (y) => [-3, 0, 3].map((d) => { // left, at and right of the bar
      const rgba = plot.ctx.getImageData(x + d, Math.round(y) - 1, 1, 3).data;
      return rgba.some((_, k) => k % 4 === 2 && rgba[k] - rgba[k - 2] > 60 && rgba[k + 1] > 60);
    });
    return { distr: plot.scales.y.distr, foot: blue(top + height - 1), head: blue(plot.valToPos(${mean + half}, "y", true)) }; })()`);
  assert.equal(distr, 3);
  assert.deepEqual(head, [true, true, true]);
  assert.deepEqual(foot, [false, true, false]);
}

// What is bold in a table, row by row, and what is said of it.
async function tableOf(page, name) {
  return page.evaluate(`(() => { const table = document.querySelector("#figure-${name} table.means");
    return { what: table.parentElement.getAttribute("aria-label"),
      cells: [...table.tBodies[0].rows].map((row) => [...row.cells].slice(1).map((cell) => cell.textContent)),
      bold: [...table.tBodies[0].rows].map((row) => [...row.cells].slice(1).map((cell) => cell.querySelector("strong") !== null)) }; })()`);
}

async function checkBest(page) {
  const { what, bold } = await tableOf(page, "flips");
  assert.equal(what, "accuracy (%); the best of each column in bold");
  assert.deepEqual(bold.map((row) => row.filter((cell) => cell).length), [0, 0, 0, 4, 0]);
}

// Equal or not, zeros without spread are not compared.
async function checkExact(page) {
  const rows = await page.evaluate(`[...document.querySelectorAll("#figure-exact .numbers tbody tr")]
    .map((row) => [...row.cells].map((cell) => cell.textContent))`);
  assert.deepEqual(rows[0], ["0", "0 ± 0", "8", "0", "–"]);
  assert.deepEqual(rows[3], ["0.4", "0 ± 0", "8", "0.0010", "–"]);
  assert.equal(await page.evaluate(`document.querySelector("#figure-exact .verdict")`), null);
}

async function checkMarks(page) {
  const { what, cells, bold } = await tableOf(page, "test-accuracy");
  assert.match(what, /; the best in bold; † outside the joint 95% interval of the paper$/);
  const outside = cells.map((row) => row.map((text) => text.includes("†")));
  assert.deepEqual(outside, [[false, false, false, true, false, false], [false, false, false, false, false, false]]);
  assert.match(cells[0][3], /^88\.8 ± 1\.1† \(0\.224\)paper: 95\.0 ± 0\.1$/);
  assert.match(cells[0][2], /paper: 85$/);
  assert.equal(bold.flat().filter((cell) => cell).length, 2); // ours, and the paper's
}

// A table wider than the screen fades where it goes on, and keeps its first column.
async function checkWideTable(page) {
  await page.evaluate(`document.querySelectorAll("details").forEach((each) => { each.open = true; })`);
  const numbers = `document.querySelector("#figure-test-accuracy .numbers").parentElement`;
  await page.evaluate(`${numbers}.scrollTo({ left: 10000, behavior: "instant" })`);
  assert.ok(await page.evaluate(`[...${numbers}.querySelectorAll("tr")].every((row) => {
    const [first, second, third] = [...row.cells].map((cell) => cell.getBoundingClientRect());
    return Math.abs(second.left - first.right) < 1 && third.left < second.right; })`), "both columns stay");
  const frame = `document.querySelector("#figure-test-accuracy .wide")`;
  const state = `(() => { const frame = ${frame}, edge = frame.getBoundingClientRect().left;
    return { left: frame.classList.contains("more-left"), right: frame.classList.contains("more-right"),
      fades: getComputedStyle(frame).maskImage !== "none",
      first: [...frame.querySelectorAll("tr")].every((row) => Math.abs(row.cells[0].getBoundingClientRect().left - edge) < 1) }; })()`;
  assert.deepEqual(await page.evaluate(state), { left: false, right: true, fades: true, first: true });
  await page.evaluate(`${frame}.scrollTo({ left: 10000, behavior: "instant" })`);
  assert.deepEqual(await page.evaluate(state), { left: true, right: false, fades: false, first: true });
  await page.evaluate(`${frame}.scrollTo({ left: 0, behavior: "instant" })`);
}

async function checkRuns(page) {
  const rows = `[...document.querySelectorAll("#run-table tbody tr")].map((row) => [...row.cells].map((cell) => cell.textContent))`;
  const type = (words) => page.evaluate(`(() => { const f = document.getElementById("filter"); f.value = ${JSON.stringify(words)};
    f.dispatchEvent(new Event("input")); return document.getElementById("found").textContent; })()`);
  assert.equal((await page.evaluate(rows)).length, runs.length);
  assert.equal(await type("gamma<=0.1 replicas=3"), "8 of 40 runs");
  assert.equal(await type("overlap!=0.5"), "0 of 40 runs"); // none where there is no number
  assert.equal(await type("node-1"), "20 of 40 runs");
  assert.equal(await type("gamma=0.4"), "8 of 40 runs");
  const head = `[...document.querySelectorAll("#run-table th button")].find((b) => b.textContent === "test_accuracy")`;
  const sorted = (sign) => runs.filter((run) => run.settings.gamma === "0.4").map((run) => run.results.test_accuracy)
    .sort((a, b) => sign * (a - b)).map((value) => String(Number(value.toPrecision(6))));
  for (const sign of [1, -1]) {
    await page.click(head);
    assert.deepEqual((await page.evaluate(rows)).map((row) => row[3]), sorted(sign));
  }
  assert.equal(await type(""), "40 of 40 runs");
}

// Headings in order, every table and chart with a name, every picture with an alternative.
async function checkAccess(page) {
  const found = await page.evaluate(`({
    levels: [...document.querySelectorAll("h1, h2, h3, h4")].map((h) => Number(h.tagName[1])),
    nameless: [...document.querySelectorAll("table")].filter((t) => !t.closest("[aria-label]")).length,
    charts: [...document.querySelectorAll(".chart .u-wrap")].map((c) => c.getAttribute("aria-label")),
    images: [...document.querySelectorAll("img")].map((i) => i.alt),
    lang: document.documentElement.lang })`);
  assert.equal(found.levels.filter((level) => level === 1).length, 1);
  assert.ok(found.levels.every((level, k) => k === 0 ? level === 1 : level <= found.levels[k - 1] + 1));
  assert.equal(found.nameless, 0);
  assert.equal(found.lang, "en");
  for (const name of [...found.charts, ...found.images]) assert.match(name, /^Lines of .* against .*below\.$/);
}

// Each file that can be saved from the page is that beside it, and a click saves it.
async function checkSaved(page, figures, kinds) {
  const links = await page.evaluate(`[...document.querySelectorAll("a[download]")].map((a) => ({ name: a.download, url: a.href,
    label: a.getAttribute("aria-label"), inside: a.closest("section").id }))`);
  for (const { name, url, label, inside } of links) {
    assert.deepEqual(Buffer.from(url.slice(url.indexOf(",") + 1), "base64"), readFileSync(`${figures}/${name}`), name);
    assert.ok(name.startsWith(inside.replace("figure-", "")), `${name} in ${inside}`);
    assert.equal(label, `Save ${name.replace(/[.][a-z]+$/, "")} as ${name.slice(-3).toUpperCase()}`);
  }
  const names = links.map(({ name }) => name);
  for (const figure of ["test-accuracy", "loss-map", "flips"])
    assert.deepEqual(names.filter((name) => name.startsWith(figure)).map((name) => name.slice(-4)).sort(),
      kinds.filter((kind) => existsSync(`${figures}/${figure}${kind}`) || existsSync(`${figures}/${figure}-heat${kind}`)).sort(), figure);
  const saved = `${folder}/saved-${kinds.length}`;
  await page.send("Page.setDownloadBehavior", { behavior: "allow", downloadPath: saved });
  await page.click(`document.querySelector("a[download='flips.csv']")`);
  for (const until = Date.now() + 60000; !existsSync(`${saved}/flips.csv`) && Date.now() < until;) await page.evaluate("0");
  assert.deepEqual(readFileSync(`${saved}/flips.csv`), readFileSync(`${figures}/flips.csv`));
}

// By the keyboard: the first thing reached is the way past the contents, and the focus is seen.
async function checkKeyboard(page) {
  const press = async (key) => {
    for (const type of ["keyDown", "keyUp"])
      await page.send("Input.dispatchKeyEvent", { type, key, code: key, windowsVirtualKeyCode: { Tab: 9, Enter: 13 }[key], text: key === "Enter" ? "\r" : undefined });
  };
  const focus = `(() => { const e = document.activeElement, box = e.getBoundingClientRect(), style = getComputedStyle(e);
    return { is: e.className || e.id || e.tagName, seen: box.top >= 0 && box.height > 0 && style.outlineStyle !== "none" }; })()`;
  await press("Tab");
  assert.deepEqual(await page.evaluate(focus), { is: "skip", seen: true });
  await press("Enter");
  assert.equal(await page.evaluate("document.activeElement.id"), "main");
  const [, first] = [await press("Tab"), await page.evaluate(`document.activeElement.closest("section").id`)];
  assert.equal(first, "figure-test-accuracy");
}

// For a screen reader: whatever can be reached has a name, landmarks too, and rows and columns have heads.
async function checkReader(page) {
  await page.send("Accessibility.enable");
  const { nodes } = await page.send("Accessibility.getFullAXTree");
  const shown = nodes.filter((node) => !node.ignored), of = (node, name) => node.properties?.find((each) => each.name === name)?.value.value;
  const nameless = shown.filter((node) => !node.name?.value && !["main", "RootWebArea"].includes(node.role.value) &&
    (of(node, "focusable") || ["region", "navigation", "img", "image", "heading"].includes(node.role.value)));
  assert.deepEqual(nameless.map((node) => node.role.value), []);
  for (const role of ["banner", "navigation", "main", "contentinfo", "searchbox", "status"])
    assert.ok(shown.some((node) => node.role.value === role), `no ${role}`);
  const heads = await page.evaluate(`[...document.querySelectorAll("main .wide tbody tr")].filter((row) => row.cells[0].matches("th[scope=row]")).length /
    document.querySelectorAll("main .wide tbody tr").length`);
  assert.equal(heads, 1);
  assert.equal(await page.evaluate(`document.querySelectorAll("main .wide thead th:not([scope=col])").length`), 0);
}

/* The label of an upright axis is as long as the chart is high, or as small as can be read. */
async function checkLabels(page) {
  for (const [label, size, length, height] of await page.evaluate(`spinneyCharts.map(({ plot }) => {
      const { label, labelFont: [font, size] } = plot.axes[1], pen = document.createElement("canvas").getContext("2d");
      pen.font = font;
      return [label, size, pen.measureText(label).width, plot.height];
    })`)) assert.ok(length < height ? size <= 12 : size === 8, `${label}: ${length} of ${height} at ${size}`);
}

const checks = {
  async "charts on a wide screen"(open) {
    if (!hasCharts) return "no charts were built in";
    const page = await open("whole/report.html", { width: 1100 });
    assert.equal(await page.evaluate("spinneyCharts.length"), 3);
    for (const check of [checkKeyboard, checkData, checkHover, checkLegend, checkLog, checkAccess, checkReader]) await check(page);
    await checkSaved(page, `${folder}/whole/figures`, [".csv"]);
    return page;
  },
  async "odd charts"(open) {
    if (!hasCharts) return "no charts were built in";
    const page = await open("odd/report.html", { width: 1100 });
    for (const check of [checkLogOfNothing, checkOpenInterval]) await check(page);
    return page;
  },
  async "odd tables"(open) {
    const page = await open("odd/report.html", { width: 390 });
    for (const check of [checkBest, checkExact]) await check(page);
    assert.match(await page.evaluate(`document.querySelector("#figure-never").textContent`), /^\s*nothing against coupling γ\s*Nothing to show \(/);
    await checkWidth(page, 390);
    return page;
  },
  async "tables on a wide screen"(open) {
    const page = await open("whole/report.html", { width: 1100 });
    for (const check of [checkRuns, checkMarks]) await check(page);
    return page;
  },
  async "a phone, dark"(open) {
    const page = await open("whole/report.html", { width: 390, height: 844, dark: true });
    await checkWidth(page, 390);
    await checkWideTable(page);
    if (hasCharts) {
      assert.ok(await page.evaluate(`${chart("flips")}.plot.width`) > 300);
      await checkLabels(page);
    }
    return page;
  },
  async "an unfinished sweep"(open) {
    const page = await open("partial/report.html", { width: 390 });
    assert.match(await page.evaluate(`document.querySelector(".incomplete").textContent`), /^24 of 40 runs are finished/);
    assert.equal(await page.evaluate(`document.querySelectorAll("#figure-later .chart, #figure-later table").length`), 0);
    await checkWidth(page, 390);
    return page;
  },
  async "hostile texts"(open) {
    const page = await open("hostile/report.html", { width: 390 });
    assert.equal(await page.evaluate(`document.querySelectorAll("b").length`), 0);
    assert.match(await page.evaluate("document.title"), /^''<\/script><b>&amp;/);
    assert.match(await page.evaluate(`document.querySelector("#figure-test-accuracy h2").textContent`), /^''<\/script><b>/);
    assert.equal(await page.evaluate(`document.querySelectorAll("#run-table tbody tr").length`), runs.length);
    if (hasCharts) await checkLabels(page);
    await checkWidth(page, 390);
    return page;
  },
  async "a page of pictures"(open) {
    if (!existsSync(`${folder}/whole/static.html`)) return "gnuplot is not installed";
    const page = await open("whole/static.html", { width: 390 });
    assert.equal(await page.evaluate("typeof uPlot"), "undefined");
    const sizes = await page.evaluate("[...document.images].map((i) => i.naturalWidth)");
    assert.deepEqual(sizes, [720, 720, 720]);
    for (const check of [checkKeyboard, checkAccess, checkRuns, checkReader]) await check(page);
    await checkSaved(page, `${folder}/whole/figures`, [".csv", ".svg", ".pdf"]);
    await checkWidth(page, 390);
    return page;
  },
};

const browser = await openBrowser(program);
let failed = 0;
for (const [name, check] of Object.entries(checks)) {
  let opened;
  try {
    const page = await check(async (file, options) => {
      opened = file;
      return openPage(browser, address(file), options);
    });
    if (typeof page === "string") {
      console.log(`skipped: ${name}: ${page}`);
      continue;
    }
    await checkQuiet(page, opened);
    if (keep) writeFileSync(`${folder}/${name.replace(/\W+/g, "-")}.png`, await page.screenshot());
    await page.close();
    console.log(`ok: ${name}`);
  } catch (error) {
    failed++;
    console.log(`FAILED: ${name}: ${error.stack}`);
  }
}
await browser.close();
process.exitCode = failed ? 1 : 0;
