// The search of the site runs in a worker, which browsers do not start from file://. There, a
// hidden frame takes the worker's place: it runs the same script and passes the same messages.
(() => {
  if (location.protocol !== "file:") return;

  // What the script finds in place of a worker's own scope.
  const scope = `
    self.importScripts = (...urls) => urls.reduce(
      (before, url) => before.then(() => new Promise((done, failed) => {
        const script = document.createElement("script");
        Object.assign(script, { src: url, onload: done, onerror: failed });
        document.body.appendChild(script);
      })), Promise.resolve());
    const send = data => parent.dispatchEvent(
      new parent.CustomEvent("compsim-worker", { detail: { frame: frameElement, data } }));
    self.postMessage = send;
  `;

  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      this.frame.title = "search";
      document.body.appendChild(this.frame);
      this.ready = new Promise(done => {
        const inside = this.frame.contentDocument;
        inside.open();
        inside.write(`<body><script>${scope}<\/script><script src="${new URL(url, location)}"><\/script></body>`);
        inside.close();
        this.frame.addEventListener("load", done, { once: true });
      });
      this.listen = event => {
        if (event.detail.frame !== this.frame) return;
        const message = new MessageEvent("message", { data: event.detail.data });
        this.dispatchEvent(message);
        if (this.onmessage) this.onmessage(message);
      };
      addEventListener("compsim-worker", this.listen);
    }

    postMessage(data) {
      this.ready.then(() => {
        const inside = this.frame.contentWindow;
        inside.dispatchEvent(new inside.MessageEvent("message", { data }));
      });
    }

    terminate() {
      removeEventListener("compsim-worker", this.listen);
      this.frame.remove();
    }
  };
})();
