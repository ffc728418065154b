// Before anything is painted: the theme that was chosen here, or the system's.
const chosen = localStorage.getItem("curate-theme");
if (chosen) document.documentElement.dataset.theme = chosen;
