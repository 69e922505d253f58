// Turns the form into a live page: every change is checked by the server, which then sends the answers as events.
"use strict";
const $ = (selector, root = document) => root.querySelector(selector);
const all = (selector, root = document) => Array.from(root.querySelectorAll(selector));
const tab = Math.random().toString(36).slice(2, 12), PART = {headers: {"x-part": "1"}};
let stream = null, asked = 0, timer = 0, aiming = null, job = null, merged = {name: "", time: 0};
const gone = () => $("#gone"), last = () => $("[name=last]");
document.documentElement.classList.add("live");

// A part of the page is replaced only where it changed, so that focus and scroll stay.
function put(parts) {
  for (const [id, html] of Object.entries(parts)) {
    const place = $("#" + id);
    if (!place || place.dataset.html === html || place.contains(document.activeElement) && id === "log") continue;
    if (id === "answers" && aiming) continue;
    const inside = place.contains(document.activeElement) && document.activeElement.getAttribute("aria-label");
    place.dataset.html = html;
    place.innerHTML = html;
    if (inside) { const again = $(`[aria-label="${CSS.escape(inside)}"]`, place); if (again) again.focus(); }
  }
}

// The numbers of the last setup are greyed, and no longer counted, until those of the new one come.
function grey(on) {
  if (on && stream) stream.close();
  const status = $("#status");
  document.body.classList.toggle("stale", on);
  if (on) {
    if (!status.dataset.before) status.dataset.before = status.textContent;
    status.textContent = status.dataset.say;
    delete status.dataset.html;
  } else if (!on && status.dataset.before) {
    status.textContent = status.dataset.before;
  }
  if (!on) delete status.dataset.before;
}

function listen(query) {
  if (stream) stream.close();
  const mine = stream = new EventSource(`live?${query}&tab=${tab}&show=${$("[data-panel][open]") ? "cards" : ""}`);
  document.body.setAttribute("aria-busy", "true");
  mine.addEventListener("answers", event => {
    const data = JSON.parse(event.data);
    gone().hidden = true;
    grey(false);
    put(data.parts);
    document.body.dataset.shown = query;
    if (data.rules) hints(data.rules);
    if (data.done) { mine.close(); document.body.removeAttribute("aria-busy"); watch(); }
  });
  mine.onopen = () => { gone().hidden = true; };
  mine.onerror = () => {
    gone().hidden = false;
    if (mine.readyState === EventSource.CLOSED) setTimeout(() => { if (mine === stream) listen(last().value); }, 1000);
  };
}

// What each rule does. A rule that no game notices is folded where it is: rules never change places.
function hints(rules) {
  for (const [name, rule] of Object.entries(rules)) {
    const item = $(`.knob[data-knob="${CSS.escape(name)}"]`);
    if (!item) continue;
    $(".effect", item).textContent = rule.words;
    $(".effect", item).classList.toggle("none", !rule.known);
    const folds = rule.idle && item.closest("#alive") && !item.classList.contains("changed") && !item.contains(document.activeElement);
    if (!item.dataset.opened) fold(item, folds);
  }
}
function fold(item, on) {
  item.classList.toggle("folded", Boolean(on));
  $(".unfold", item).hidden = !on;
}

// After the last event only a look now and then tells that the server is gone.
function watch() {
  const seen = asked;
  setTimeout(async () => {
    if (seen !== asked) return;
    try { await fetch("web.css", {cache: "no-store"}); gone().hidden = true; } catch { gone().hidden = false; }
    watch();
  }, gone().hidden ? 5000 : 1000);
}

const filled = () => new URLSearchParams(new FormData($("#setup"))).toString();

function refuse(knob, problem) {
  all("#setup .refused").forEach(one => { one.hidden = true; one.textContent = ""; });
  all(".knob [aria-invalid]").forEach(one => one.removeAttribute("aria-invalid"));
  if (!problem) return;
  const item = knob && $(`.knob[data-knob="${CSS.escape(knob)}"]`), line = item ? $(".refused", item) : $("#refused");
  line.textContent = problem;
  line.hidden = false;
  const control = item && $("[name]", item);
  if (control) control.setAttribute("aria-invalid", "true");
}

// Every state has a number in the history of this tab, so undo and redo are its way back and forth.
const number = () => (history.state && history.state.number) || 0;
function remember(query, again) {
  const next = again ? number() : number() + 1;
  history[again ? "replaceState" : "pushState"]({number: next}, "", `studio?${query}`);
  sessionStorage.setItem("houle-most", next);
  steps();
}
function steps() {
  $("#undo").disabled = number() <= 0;
  $("#redo").disabled = number() >= +(sessionStorage.getItem("houle-most") || 0);
}

async function turn(name = "") {
  const mine = ++asked;
  let answer;
  try { answer = await fetch(`check?${filled()}`); } catch { gone().hidden = false; timer = setTimeout(() => turn(name), 1000); return; }
  if (mine !== asked) return;
  gone().hidden = true;
  if (answer.status === 503) { location.reload(); return; }  // the game is being prepared
  const data = await answer.json().catch(() => ({problem: "the server gave no answer that can be read"}));
  refuse(data.knob, data.problem);
  if (mine !== asked) return;
  if (data.problem) { grey(false); listen(last().value); return; }
  show(data);
  const now = Date.now(), again = name && merged.name === name && now - merged.time < 1500;
  merged = {name, time: now};
  if (`studio?${data.query}` !== `studio${location.search}`) remember(data.query, again);  // a drag is one change
  listen(data.query);
}

// The marks of the setup, and the addresses of buttons.
function show(data) {
  last().value = data.query;
  $("#differs").textContent = data.differs;
  for (const [name, knob] of Object.entries(data.knobs)) {
    const item = $(`.knob[data-knob="${CSS.escape(name)}"]`);
    if (!item) continue;
    item.classList.toggle("changed", knob.changed);
    item.classList.toggle("idle", !knob.alive);
    $(".from", item).textContent = knob.provenance;
    $(".undo", item).hidden = !knob.changed;
  }
  all("[data-action]").forEach(one => { one.action = `${one.dataset.action}?${data.query}`; });
  all("[data-href]").forEach(one => { one.href = `${one.dataset.href}?${data.query}`; });
  all(".language").forEach(one => { one.href = `${one.href.split("?")[0]}?${data.query}`; });
  const bare = new URLSearchParams(data.query), pinned = new URLSearchParams(data.query);
  bare.delete("pin");
  pinned.set("pin", bare);
  $("#pin").href = `studio?${pinned}`;
}

// Another state in place: the page stays where it is, with its lists open.
async function go(query, push = true) {
  const mine = ++asked;
  grey(true);
  let text, where;
  try {
    const answer = await fetch(`studio?${query}`, PART);
    text = await answer.text();
    const line = answer.ok ? "" : problem(text);
    if (line && mine === asked) { grey(false); refuse("", line); listen(last().value); return; }
    if (!answer.ok) throw new Error();
    where = new URL(answer.url).search.slice(1);
  } catch { location.assign(`studio?${query}`); return; }
  if (mine !== asked) return;
  const page = new DOMParser().parseFromString(text, "text/html"), right = $("#right").scrollTop, top = scrollY;
  const open = all("details[open]").map(one => $("summary", one).textContent), tabs = $(".columns").dataset.shown;
  $("header").innerHTML = $("header", page).innerHTML;
  $("main").innerHTML = $("main", page).innerHTML;
  document.title = page.title;
  all("details").forEach(one => { if (open.includes($("summary", one).textContent)) one.open = true; });
  pick(tabs);
  $("#right").scrollTop = right;
  scrollTo(0, top);
  if (push) remember(where, false);
  prepare();
  grey(true);
  listen(where);
}

document.addEventListener("input", event => {
  const control = event.target;
  if (!control.closest("#setup") || control.dataset.whole !== undefined) return;
  if (control.classList.contains("slider")) $("[type=number]", control.parentNode).value = control.value;
  else if (control.type === "number" && $(".slider", control.parentNode)) $(".slider", control.parentNode).value = control.value;
  grey(true);
  clearTimeout(timer);
  const name = control.classList.contains("slider") ? "slider " + control.getAttribute("aria-label") : control.name;
  timer = setTimeout(() => turn(name), control.type === "text" ? 150 : control.type === "number" ? 60 : 20);
});
document.addEventListener("change", event => {
  if (event.target.dataset.whole !== undefined) go(filled());  // another game, number of players or variant
});
document.addEventListener("submit", event => {
  if (event.target.id === "setup") { event.preventDefault(); clearTimeout(timer); turn(); }
  if (event.target.id === "design-form") { event.preventDefault(); search(event.target.action); }
});
document.addEventListener("toggle", event => {
  if (event.target.dataset && event.target.dataset.panel && event.target.open) listen(last().value);
}, true);

document.addEventListener("click", event => {
  const target = event.target, undo = target.closest(".undo"), link = target.closest('a[href^="studio?"]');
  if (target.closest("#undo")) history.back();
  else if (target.closest("#redo")) history.forward();
  else if (target.closest(".unfold")) { const item = target.closest(".knob"); item.dataset.opened = "yes"; fold(item, false); }
  else if (target.closest("[data-tab]")) pick(target.closest("[data-tab]").dataset.tab);
  else if (target.closest("#copy")) copy();
  else if (target.closest("#stop")) { $("#stop").disabled = true; fetch(`stop-design?id=${job.id}`, {method: "POST", ...PART}); }
  else if (target.closest("#send")) { const early = $("#precision").dataset.say; if (early && !confirm(early)) event.preventDefault(); }
  else if (target.closest(".sortable th")) sort(target.closest(".sortable th"));
  else if (undo) {
    event.preventDefault();
    const item = undo.closest(".knob"), plain = $("[data-plain]", item);
    all("[data-plain]", item).forEach(one => { one.value = one.dataset.plain; });
    if ($(".slider", item)) $(".slider", item).value = plain.dataset.plain;
    plain.focus();
    grey(true);
    turn();
  } else if (link && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
    event.preventDefault();
    go(link.getAttribute("href").slice("studio?".length));
  }
});
document.addEventListener("keydown", event => {
  if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "z" || event.target.matches("input:not([type=range]):not([type=checkbox]), textarea")) return;
  event.preventDefault();
  $(event.shiftKey ? "#redo" : "#undo").click();
});
addEventListener("popstate", () => { steps(); go(location.search.slice(1), false); });

// The search for the target stays on the page: what may fit so far is shown, and can be taken at once.
async function search(action) {
  const button = $("#design"), line = $("#searching");
  button.disabled = true;
  line.hidden = false;
  $("progress", line).removeAttribute("value");
  $("span", line).textContent = line.dataset.say;
  put({proposals: ""});
  sessionStorage.setItem("houle-search", action);  // after a reload the same request is answered with the same search
  let answer;
  try { answer = await fetch(action, {method: "POST", ...PART}); } catch { sought(); gone().hidden = false; return; }
  if (!answer.ok) { sought(); refuse("", problem(await answer.text())); return; }
  sessionStorage.removeItem("houle-search");
  follow((await answer.json()).id);
}
function sought() {
  sessionStorage.removeItem("houle-search");
  sessionStorage.removeItem("houle-job");
  $("#design").disabled = false;
  $("#searching").hidden = true;
}

// Shows how far a search is until it is done. A page that is loaded again goes on with it.
async function follow(id) {
  sessionStorage.setItem("houle-job", id);
  $("#stop").disabled = false;
  job = {id, html: "", share: 0, words: $("#searching").dataset.say, done: false};
  progress();
  while (!job.done) {
    await new Promise(done => setTimeout(done, 500));
    try {
      const answer = await fetch(`job-part?id=${job.id}`);
      if (!answer.ok) { job = null; sought(); return; }  // the server was started again
      Object.assign(job, await answer.json());
    } catch { gone().hidden = false; continue; }
    gone().hidden = true;
    progress();
  }
}

function progress() {
  const line = $("#searching"), elsewhere = job.game && job.game !== $("[name=game]").value;  // rules of another game
  line.hidden = job.done || elsewhere;
  $("progress", line).value = job.share;
  $("span", line).textContent = job.words;
  $("#design").disabled = !job.done && !elsewhere;
  put({proposals: elsewhere ? "" : job.html});
}
const problem = html => ($(".refused", new DOMParser().parseFromString(html, "text/html")) || {textContent: ""}).textContent;

// The target: its edges, or all of it, are dragged in the picture of the row it is for.
const scale = svg => {
  const [least, most] = svg.closest("#aim").dataset.ends.split(",").map(Number), per = $("#low").dataset.per;
  return {least: least * per, span: (most - least) * per};
};
const aimAt = (event, svg) => {
  const box = svg.getBoundingClientRect(), pad = 7 / 414 * box.width, {least, span} = scale(svg);
  return least + span * Math.max(0, Math.min(1, (event.clientX - box.left - pad) / (box.width - 2 * pad)));
};
document.addEventListener("pointerdown", event => {
  const svg = event.target.closest && event.target.closest("#aim svg");
  if (!svg) return;
  const at = aimAt(event, svg), low = +$("#low").value, high = +$("#high").value, close = .03 * scale(svg).span;
  const near = Math.abs(at - low) < close ? "low" : Math.abs(at - high) < close ? "high" : at > low && at < high ? "both" : "";
  if (!near) return;
  event.preventDefault();
  aiming = {svg, near, at, low, high};
});
document.addEventListener("pointermove", event => {
  if (!aiming) return;
  const {least, span} = scale(aiming.svg), moved = aimAt(event, aiming.svg) - aiming.at, half = value => Math.round(2 * value) / 2;
  const low = aiming.near === "high" ? aiming.low : Math.max(least, half(aiming.low + moved));
  const high = aiming.near === "low" ? aiming.high : Math.min(least + span, half(aiming.high + moved));
  if (low > high) return;
  $("#low").value = low;
  $("#high").value = high;
  const band = $(".band", aiming.svg), x = value => 400 * (value - least) / span;
  band.setAttribute("x", x(low));
  band.setAttribute("width", Math.max(2, x(high) - x(low)));
  all(".edge", aiming.svg).forEach(edge => edge.setAttribute("x", x(edge.dataset.edge === "low" ? low : high) - 1));
});
document.addEventListener("pointerup", () => { if (aiming) { aiming = null; turn(); } });

async function copy() {
  const lines = $("#lines");
  try { await navigator.clipboard.writeText(lines.value.trim()); $("#copied").textContent = "Copied."; }
  catch { lines.select(); $("#copied").textContent = "Press Ctrl-C to copy."; }
}

function sort(head) {
  const body = head.closest("table").tBodies[0], column = Array.from(head.parentNode.children).indexOf(head);
  const up = head.getAttribute("aria-sort") !== "ascending";
  all("th", head.parentNode).forEach(one => one.removeAttribute("aria-sort"));
  head.setAttribute("aria-sort", up ? "ascending" : "descending");
  const text = row => row.cells[column].innerText, order = (a, b) => text(a).localeCompare(text(b), undefined, {numeric: true});
  Array.from(body.rows).sort((a, b) => up ? order(a, b) : order(b, a)).forEach(row => body.append(row));
}

// On a phone the setup and the answers are two tabs.
function pick(name) {
  $(".columns").dataset.shown = name;
  all("[data-tab]").forEach(one => one.setAttribute("aria-pressed", one.dataset.tab === name));
}

// What the script adds to a page, after it was loaded or replaced. The right side stays in sight below the head.
function prepare() {
  all(".slider").forEach(one => { one.hidden = false; });
  $("#copy").hidden = false;
  if (job) progress();
  steps();
  fit();
}
const fit = () => document.documentElement.style.setProperty("--head", `${$("header").offsetHeight}px`);
new ResizeObserver(fit).observe($("header"));
if (!history.state) history.replaceState({number: 0}, "");
if (!number()) sessionStorage.setItem("houle-most", 0);
prepare();
listen(last().value);
const asked_before = sessionStorage.getItem("houle-search"), running = sessionStorage.getItem("houle-job");
if (asked_before) search(asked_before); else if (running) follow(running);
