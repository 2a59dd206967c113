// The keyboard goes to the app as soon as it can take keys, and comes back to it with the window.
const give = () => document.querySelector(".xterm-helper-textarea")?.focus();
window.addEventListener("load", () => {
  const opened = new MutationObserver(() => {
    if (document.body.classList.contains("-loaded")) {
      opened.disconnect();
      give();
    }
  });
  opened.observe(document.body, { attributes: true, attributeFilter: ["class"] });
});
window.addEventListener("focus", () => document.body.classList.contains("-loaded") && give());
