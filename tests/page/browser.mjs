// A headless Chromium on a pipe (the DevTools protocol, messages ended by NUL), and one page in it.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export async function openBrowser(program) {
  const profile = mkdtempSync(join(tmpdir(), "spinney-page-"));
  const child = spawn(program, [
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--remote-debugging-pipe", `--user-data-dir=${profile}`, "about:blank",
  ], { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
  const waiting = new Map(), listeners = [];
  const ended = new Promise((resolve) => child.on("exit", resolve));
  let next = 1, rest = "";
  ended.then(() => waiting.forEach(({ reject }) => reject(new Error("the browser ended"))));
  child.stdio[4].setEncoding("utf8").on("data", (text) => {
    const parts = (rest + text).split("\0");
    rest = parts.pop();
    for (const part of parts) {
      const message = JSON.parse(part);
      if (message.id) {
        const { resolve, reject } = waiting.get(message.id);
        waiting.delete(message.id);
        message.error ? reject(new Error(message.error.message)) : resolve(message.result);
      } else {
        listeners.forEach((listener) => listener(message));
      }
    }
  });

  function send(method, params = {}, sessionId = undefined) {
    const id = next++;
    child.stdio[3].write(JSON.stringify({ id, method, params, sessionId }) + "\0");
    return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
  }

  return {
    send,
    listen: (listener) => listeners.push(listener),
    async close() {
      await Promise.race([send("Browser.close").catch(() => {}), ended]);
      const late = setTimeout(() => child.kill("SIGKILL"), 5000);
      await ended;
      clearTimeout(late);
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

// A page of the given size; complaints and requests are collected from the start.
export async function openPage(browser, address, { width, height = 900, dark = false }) {
  const { targetId } = await browser.send("Target.createTarget", { url: "about:blank" });
  const { sessionId } = await browser.send("Target.attachToTarget", { targetId, flatten: true });
  const send = (method, params) => browser.send(method, params, sessionId);
  const complaints = [], requests = [];
  let loaded;
  const load = new Promise((resolve) => { loaded = resolve; });
  browser.listen(({ method, params, sessionId: whose }) => {
    if (whose !== sessionId) return;
    if (method === "Runtime.exceptionThrown") complaints.push(params.exceptionDetails.exception?.description ?? params.exceptionDetails.text);
    if (method === "Runtime.consoleAPICalled" && ["error", "warning", "assert"].includes(params.type))
      complaints.push(params.args.map((each) => each.value ?? each.description).join(" "));
    if (method === "Log.entryAdded" && params.entry.level === "error") complaints.push(params.entry.text);
    if (method === "Network.requestWillBeSent") requests.push(params.request.url);
    if (method === "Page.loadEventFired") loaded();
  });
  for (const domain of ["Runtime", "Log", "Network", "Page"]) await send(`${domain}.enable`);
  await send("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 1, mobile: width < 500 });
  await send("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: dark ? "dark" : "light" }] });
  await send("Page.navigate", { url: address });
  await load;

  // The value of an expression in the page, once what was to be drawn is drawn.
  async function evaluate(expression) {
    const { result, exceptionDetails } = await send("Runtime.evaluate", {
      expression: `new Promise((r) => requestAnimationFrame(() => requestAnimationFrame(r))).then(() => (${expression}))`,
      awaitPromise: true, returnByValue: true,
    });
    if (exceptionDetails) throw new Error(`${expression}: ${exceptionDetails.exception?.description}`);
    return result.value;
  }

  // A real click, in the middle of the element that an expression gives.
  async function click(expression) {
    const { x, y } = await evaluate(`(() => { const e = ${expression}; e.scrollIntoView({ block: "center", behavior: "instant" });
      const b = e.getBoundingClientRect(); return { x: b.x + b.width / 2, y: b.y + b.height / 2 }; })()`);
    for (const type of ["mouseMoved", "mousePressed", "mouseReleased"])
      await send("Input.dispatchMouseEvent", { type, x, y, button: type === "mouseMoved" ? "none" : "left", clickCount: 1 });
  }

  async function screenshot() {
    const height = await evaluate("document.documentElement.scrollHeight");
    const { data } = await send("Page.captureScreenshot", {
      captureBeyondViewport: true, clip: { x: 0, y: 0, width, height, scale: 1 } });
    return Buffer.from(data, "base64");
  }

  return { complaints, requests, evaluate, click, screenshot, send,
    close: () => browser.send("Target.closeTarget", { targetId }) };
}
