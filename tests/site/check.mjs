// Checks of the site in a browser, from a server on the loopback; see run.
import assert from "node:assert/strict";
import { createReadStream, existsSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { openBrowser, openPage } from "../page/browser.mjs";

const [program, folder, keep] = process.argv.slice(2);
const types = { ".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".json": "application/json", ".svg": "image/svg+xml" };

const server = createServer((request, response) => {
  let path = join(folder, normalize(decodeURIComponent(new URL(request.url, "http://site/").pathname)));
  if (existsSync(path) && statSync(path).isDirectory()) path = join(path, "index.html");
  response.writeHead(existsSync(path) ? 200 : 404, { "Content-Type": types[extname(path)] ?? "application/octet-stream" });
  existsSync(path) ? createReadStream(path).pipe(response) : response.end();
});
await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
const site = `http://127.0.0.1:${server.address().port}/`;

// The pages that differ most: text, tables, code, formulas, and each kind of reference.
const pages = process.env.ONLY?.split(" ") ?? ["", "tutorials/table/", "tutorials/qubo/", "tutorials/own-energy/", "tutorials/study/", "settings/", "python/", "theory/",
  "paper/paper/", "reproduction/", "reference/program/train/", "reference/python/tasks/", "reference/c/chain/", "reference/c/"];

// Nothing but what is in frames of their own may scroll sideways.
async function checkWidth(page, width) {
  const wide = await page.evaluate(`document.documentElement.scrollWidth <= ${width} ? [] :
    [...document.querySelectorAll(".md-content *")].filter((e) => e.getBoundingClientRect().right > ${width} && !e.closest("pre, .md-typeset__scrollwrap")).slice(0, 3).map((e) => e.outerHTML.slice(0, 120))`);
  assert.deepEqual(wide, [], `wider than ${width}`);
}

// The colours of a report's page; text that can be read on its ground.
async function checkColours(page, dark) {
  const [ground, ink] = await page.evaluate(`[getComputedStyle(document.body).backgroundColor, getComputedStyle(document.querySelector("article")).color]`);
  assert.deepEqual([ground, ink], dark ? ["rgb(20, 23, 27)", "rgb(228, 232, 236)"] : ["rgb(255, 255, 255)", "rgb(31, 35, 40)"]);
}

async function checkAccess(page) {
  const found = await page.evaluate(`({ lang: document.documentElement.lang, skip: document.querySelector("a.md-skip")?.getAttribute("href"),
    heads: document.querySelectorAll("h1").length, images: [...document.images].filter((i) => !i.alt).length,
    broken: [...document.images].filter((i) => i.loading !== "lazy" && i.complete && !i.naturalWidth).length })`);
  assert.equal(found.lang, "en");
  assert.match(found.skip ?? "", /^#./);
  assert.deepEqual([found.heads, found.images, found.broken], [1, 0, 0]);
}

async function checkSearch(page) {
  await page.evaluate(`document.querySelector("[data-md-toggle=search]").click()`);
  await page.evaluate(`(() => { const i = document.querySelector(".md-search__input"); i.focus(); i.value = "population"; i.dispatchEvent(new Event("input", { bubbles: true }));
    i.dispatchEvent(new KeyboardEvent("keyup", { bubbles: true })); })()`);
  const until = Date.now() + 60000;
  let count = 0;
  while (count === 0 && Date.now() < until) count = await page.evaluate(`document.querySelectorAll(".md-search-result__item").length`);
  assert.ok(count > 0, "the search finds nothing");
}

// One page at both widths, in light and in dark.
async function checkPage(browser, path) {
  const page = await openPage(browser, site + path, { width: 1280 });
  for (const [width, dark] of [[1280, false], [1280, true], [390, true], [390, false]]) {
    await page.send("Emulation.setDeviceMetricsOverride", { width, height: 900, deviceScaleFactor: 1, mobile: width < 500 });
    await page.send("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: dark ? "dark" : "light" }] });
    await checkWidth(page, width);
    await checkColours(page, dark);
    if (keep) await picture(page, `${keep}/${(path || "index").replace(/\W+/g, "-")}-${width}-${dark ? "dark" : "light"}.png`, width);
  }
  await checkAccess(page);
  if (path === "") await checkSearch(page);
  assert.deepEqual(page.complaints, []);
  assert.deepEqual(page.requests.filter((url) => !url.startsWith(site) && !/^(data|blob):/.test(url)), []);
  await page.close();
}

async function picture(page, file, width) {
  const { data } = await page.send("Page.captureScreenshot", { captureBeyondViewport: true, clip: { x: 0, y: 0, width, height: 1600, scale: 1 } });
  writeFileSync(file, Buffer.from(data, "base64"));
}

const browser = await openBrowser(program);
let failed = 0;
for (const path of pages)
  try {
    await checkPage(browser, path);
    console.log(`ok: /${path}`);
  } catch (error) {
    failed++;
    console.log(`FAILED: /${path}: ${error.message}`);
  }
await browser.close();
server.close();
process.exitCode = failed ? 1 : 0;
