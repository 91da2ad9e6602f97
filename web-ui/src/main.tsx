import { render } from "preact";

import { App } from "./app";
import { start } from "./store";
import "./colours.css";
import "./style.css";
import "./report.css";

const root = document.getElementById("app");
if (root !== null) {
  render(<App />, root);
  void start();
}
