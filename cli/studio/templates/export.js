document.querySelectorAll("th button").forEach(button => button.addEventListener("click", () => {
  const head = button.closest("th"), column = [...head.parentNode.children].indexOf(head), body = head.closest("table").tBodies[0];
  const up = head.getAttribute("aria-sort") !== "ascending";
  head.parentNode.querySelectorAll("th").forEach(one => one.removeAttribute("aria-sort"));
  head.setAttribute("aria-sort", up ? "ascending" : "descending");
  const value = row => row.cells[column].dataset.sort || row.cells[column].innerText;
  const order = (a, b) => value(a).localeCompare(value(b), undefined, {numeric: true});
  [...body.rows].sort((a, b) => up ? order(a, b) : order(b, a)).forEach(row => body.append(row));
}));
