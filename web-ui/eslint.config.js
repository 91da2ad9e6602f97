import js from "@eslint/js";
import { defineConfig } from "eslint/config";
import ts from "typescript-eslint";

export default defineConfig(
  { ignores: ["dist", "node_modules"] },
  js.configs.recommended,
  {
    files: ["src/**/*.ts", "src/**/*.tsx"],
    extends: [ts.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
    },
  },
  {
    files: ["tests/**/*.mjs"],
    languageOptions: { globals: { process: "readonly", URL: "readonly", console: "readonly", document: "readonly", window: "readonly", location: "readonly", HTMLCanvasElement: "readonly", fetch: "readonly", performance: "readonly", Buffer: "readonly", Image: "readonly", setTimeout: "readonly" } },
  },
);
