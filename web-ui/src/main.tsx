import { render } from "preact";

import { App } from "./app";
import { start } from "./page";
import "./colours.css";
import "./style.css";
import "./report.css";

const root = document.getElementById("app");
if (root !== null) {
  void start();
  render(<App />, root);
}
