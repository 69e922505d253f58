"""Reports, figures and pages. `houle.report` writes a report; `figures.draw` draws a result."""
