// Stand-in for Mechanical Turk's helper of external questions: nothing to look up, nothing to disable.
window.turkGetParam = (name, otherwise = "") => new URLSearchParams(location.search).get(name) ?? otherwise;
window.turkSetAssignmentID = () => undefined;
