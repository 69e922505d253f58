// Turns the form into a live page: every change is checked by the server, which then sends the answers as events.
"use strict";
const $ = (selector, root = document) => root.querySelector(selector);
const all = (selector, root = document) => Array.from(root.querySelectorAll(selector));
const form = $("#setup"), last = $("[name=last]", form), gone = $("#gone");
const tab = Math.random().toString(36).slice(2, 12);
let stream = null, asked = 0, timer = 0, aiming = null;
document.documentElement.classList.add("live");

// A part of the page is replaced only where it changed, so that focus and scroll stay.
function put(parts) {
  for (const [id, html] of Object.entries(parts)) {
    const place = $("#" + id);
    if (!place || place.dataset.html === html || place.contains(document.activeElement) && id === "log") continue;
    if (id === "answers" && aiming) continue;
    place.dataset.html = html;
    place.innerHTML = html;
  }
}

function listen(query) {
  if (stream) stream.close();
  stream = new EventSource(`live?${query}&tab=${tab}`);
  document.body.setAttribute("aria-busy", "true");
  stream.addEventListener("answers", event => {
    const data = JSON.parse(event.data);
    gone.hidden = true;
    put(data.parts);
    if (data.done) { stream.close(); document.body.removeAttribute("aria-busy"); watch(); }
  });
  stream.addEventListener("effects", event => arrange(JSON.parse(event.data)));
  stream.onopen = () => { gone.hidden = true; };
  stream.onerror = () => {
    gone.hidden = false;
    if (stream.readyState === EventSource.CLOSED) setTimeout(() => listen(last.value), 1000);
  };
}

// The rules that matter most come first; those that no game notices are folded away.
function arrange(effects) {
  if ($(".knobs").contains(document.activeElement)) return;
  all(".knob").sort((a, b) => effects[a.dataset.knob].rank - effects[b.dataset.knob].rank).forEach(item => {
    const effect = effects[item.dataset.knob];
    $(".effect", item).textContent = effect.words;
    $(effect.alive || item.classList.contains("changed") ? "#alive" : "#idle").append(item);
  });
  $("#rest").hidden = !$("#idle").children.length;
}

// After the last event only a look now and then tells that the server is gone.
function watch() {
  const seen = asked;
  setTimeout(async () => {
    if (seen !== asked) return;
    try { await fetch("web.css", {cache: "no-store"}); gone.hidden = true; } catch { gone.hidden = false; }
    watch();
  }, gone.hidden ? 5000 : 1000);
}

function filled() {
  const data = new URLSearchParams(new FormData(form));
  return data.toString();
}

function refuse(knob, problem) {
  all(".refused", form).forEach(one => { one.hidden = true; one.textContent = ""; });
  all(".knob [aria-invalid]").forEach(one => one.removeAttribute("aria-invalid"));
  if (!problem) return;
  const item = knob && $(`.knob[data-knob="${CSS.escape(knob)}"]`), line = item ? $(".refused", item) : $("#refused");
  line.textContent = problem;
  line.hidden = false;
  const control = item && $("[name]", item);
  if (control) control.setAttribute("aria-invalid", "true");
}

async function turn(push = true) {
  const number = ++asked;
  let answer;
  try { answer = await fetch(`check?${filled()}`); } catch { gone.hidden = false; timer = setTimeout(turn, 1000); return; }
  if (number !== asked) return;
  gone.hidden = true;
  if (answer.status === 503) { location.reload(); return; }  // the game is being prepared
  const data = await answer.json().catch(() => ({problem: "the server gave no answer that can be read"}));
  refuse(data.knob, data.problem);
  if (data.problem || number !== asked) return;
  show(data);
  if (push) history.pushState(null, "", `studio?${data.query}`);
  listen(data.query);
}

// The marks of the setup, and the addresses of buttons.
function show(data) {
  last.value = data.query;
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
  $("#save").href = `variant.toml?${data.query}`;
  const bare = new URLSearchParams(data.query);
  ["a", "b"].forEach(name => bare.delete(name));
  for (const name of ["a", "b"]) {
    const pinned = new URLSearchParams(data.query);
    pinned.set(name, bare.toString());
    $(`#pin-${name}`).href = `studio?${pinned}`;
  }
}

form.addEventListener("input", event => {
  const control = event.target;
  if (control.dataset.whole !== undefined) return;
  if (control.classList.contains("slider")) $("[type=number]", control.parentNode).value = control.value;
  else if (control.type === "number" && $(".slider", control.parentNode)) $(".slider", control.parentNode).value = control.value;
  clearTimeout(timer);
  timer = setTimeout(turn, control.type === "text" || control.type === "number" ? 150 : 20);
});
// Another game, number of players or variant is another page.
form.addEventListener("change", event => {
  if (event.target.dataset.whole !== undefined) location.assign(`studio?${filled()}`);
});
form.addEventListener("submit", event => { event.preventDefault(); clearTimeout(timer); turn(); });

form.addEventListener("click", event => {
  const undo = event.target.closest(".undo");
  if (!undo) return;
  event.preventDefault();
  const item = undo.closest(".knob"), grid = $(".grid", item);
  if (grid) {
    const plain = grid.dataset.plain.split(",");
    all("input", grid).forEach(one => { one.checked = plain.includes(one.value); });
  } else {
    all("[data-plain]", item).forEach(one => { one.value = one.dataset.plain; });
    if ($(".slider", item)) $(".slider", item).value = $("[data-plain]", item).dataset.plain;
  }
  ($("[data-plain]", item).focus || (() => {})).call($("[data-plain]", item));
  turn();
});

// The target: its edges, or all of it, are dragged in the picture of the row it is for.
const percent = (event, svg) => {
  const box = svg.getBoundingClientRect(), pad = 7 / 414 * box.width;
  return Math.max(0, Math.min(100, 100 * (event.clientX - box.left - pad) / (box.width - 2 * pad)));
};
document.addEventListener("pointerdown", event => {
  const svg = event.target.closest && event.target.closest("#aim svg");
  if (!svg) return;
  const at = percent(event, svg), low = +$("#low").value, high = +$("#high").value;
  const near = Math.abs(at - low) < 3 ? "low" : Math.abs(at - high) < 3 ? "high" : at > low && at < high ? "both" : "";
  if (!near) return;
  event.preventDefault();
  aiming = {svg, near, at, low, high};
});
document.addEventListener("pointermove", event => {
  if (!aiming) return;
  const moved = percent(event, aiming.svg) - aiming.at, half = value => Math.round(2 * value) / 2;
  const low = aiming.near === "high" ? aiming.low : Math.max(0, half(aiming.low + moved));
  const high = aiming.near === "low" ? aiming.high : Math.min(100, half(aiming.high + moved));
  if (low > high) return;
  $("#low").value = low;
  $("#high").value = high;
  const band = $(".band", aiming.svg);
  band.setAttribute("x", 4 * low);
  band.setAttribute("width", Math.max(2, 4 * (high - low)));
  all(".edge", aiming.svg).forEach(edge => edge.setAttribute("x", 4 * (edge.dataset.edge === "low" ? low : high) - 1));
});
document.addEventListener("pointerup", () => { if (aiming) { aiming = null; turn(); } });

const copy = $("#copy");
copy.hidden = false;
copy.addEventListener("click", async () => {
  const lines = $("#lines");
  try { await navigator.clipboard.writeText(lines.value.trim()); $("#copied").textContent = "Copied."; }
  catch { lines.select(); $("#copied").textContent = "Press Ctrl-C to copy."; }
});

document.addEventListener("click", event => {
  const sort = event.target.closest(".sortable th");
  if (!sort) return;
  const body = sort.closest("table").tBodies[0], column = Array.from(sort.parentNode.children).indexOf(sort);
  const up = sort.getAttribute("aria-sort") !== "ascending";
  all("th", sort.parentNode).forEach(one => one.removeAttribute("aria-sort"));
  sort.setAttribute("aria-sort", up ? "ascending" : "descending");
  const text = row => row.cells[column].innerText, order = (a, b) => text(a).localeCompare(text(b), undefined, {numeric: true});
  Array.from(body.rows).sort((a, b) => up ? order(a, b) : order(b, a)).forEach(row => body.append(row));
});

// On a phone the setup and the answers are two tabs.
all("[data-tab]").forEach(button => button.addEventListener("click", () => {
  $(".columns").dataset.shown = button.dataset.tab;
  all("[data-tab]").forEach(one => one.setAttribute("aria-pressed", one === button));
}));
all(".slider").forEach(one => { one.hidden = false; });
addEventListener("popstate", () => location.reload());
listen(last.value);
