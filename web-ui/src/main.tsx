import { render } from "preact";

import { App } from "./app";
import { start } from "./store";
import "./style.css";

const root = document.getElementById("app");
if (root !== null) {
  render(<App />, root);
  void start();
}
