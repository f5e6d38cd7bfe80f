import { defineConfig } from 'vitest/config';

/** One project per layer; `test/run/test.mjs` runs each by name. Files are found by glob, never listed. */
const layer = (
  name: string,
  environment: 'node' | 'jsdom',
  timeout: number,
  glob = `test/${name}/**/*.test.{ts,tsx}`,
) => ({
  extends: true as const,
  test: { name, environment, include: [glob], testTimeout: timeout, hookTimeout: timeout, passWithNoTests: false },
});

export default defineConfig({
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  test: {
    projects: [
      layer('unit', 'node', 20_000),
      layer('webview', 'jsdom', 20_000),
      layer('architecture', 'node', 60_000),
      layer('conformance', 'node', 60_000),
    ],
  },
});
