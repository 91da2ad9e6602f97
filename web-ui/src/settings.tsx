// How the next question is chosen: strategies and transformations.

import { Folded } from "./menu";
import { info, session, setStrategy, transform } from "./store";

export function Settings() {
  const run = info.value;
  const now = session.value;
  if (run === null || now === null) return null;
  const on = now.transform.split(",").filter((name) => name !== "");
  const chosen = run.strategies.find((choice) => choice.name === now.strategy);
  return (
    <Folded class="settings" label="How the next question is chosen" head={`How the next question is chosen: ${now.strategy}`}>
        <select aria-label="Strategy" value={now.strategy} onChange={(event) => void setStrategy(event.currentTarget.value)}>
          {run.strategies.map((choice) => (
            <option value={choice.name}>{choice.name}</option>
          ))}
        </select>
        <p class="quiet">{chosen?.explanation}</p>
        {run.transformations
          .filter((choice) => !choice.name.includes("="))
          .map((choice) => (
            <label class="switch">
              <input
                type="checkbox"
                checked={on.includes(choice.name)}
                onChange={(event) => void transform(event.currentTarget.checked ? choice.name : `-${choice.name}`)}
              />
              <span>
                {choice.name} <span class="quiet">{choice.explanation}</span>
              </span>
            </label>
          ))}
    </Folded>
  );
}
