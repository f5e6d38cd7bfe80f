import path from 'node:path';
import { defineConfig } from '@playwright/test';
import { CHROMIUM_ARGUMENTS } from '../support/vscode/browser.mjs';
import { prepared } from './support/environment.ts';

const { chromium, artifacts } = prepared();

export default defineConfig({
  testDir: '.',
  testMatch: '**/*.e2e.ts',
  outputDir: path.join(artifacts, 'e2e'),
  // Each test has a VS Code, an agent and a model of its own, so any two can run side by side; more would be too much for two cores.
  workers: 2,
  fullyParallel: true,
  // Long, for machines that are slow or busy: no test is about time, and one that passes waits for nothing.
  timeout: 120_000,
  expect: { timeout: 30_000 },
  forbidOnly: true,
  // A window, a browser, an agent and a model share two cores: one more try tells a fault from a moment without any.
  retries: 1,
  reporter: [['list'], ['json', { outputFile: path.join(artifacts, 'e2e-results.json') }]],
  use: {
    browserName: 'chromium',
    viewport: { width: 1280, height: 800 },
    launchOptions: { executablePath: chromium, args: [...CHROMIUM_ARGUMENTS] },
    permissions: ['clipboard-read', 'clipboard-write'],
    actionTimeout: 30_000,
    screenshot: 'only-on-failure',
    // What was done and when, without pictures and copies of the page: those of a whole workbench cost more than the tests themselves.
    trace: { mode: 'retain-on-failure', screenshots: false, snapshots: false, sources: false },
  },
});
