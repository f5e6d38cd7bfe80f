import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { silentLogger } from '../../src/base/logger.ts';
import { InitialMode } from '../../src/host/permissions/initialMode.ts';
import type { ConfigurationSection } from './extension.ts';
import { manifest } from './extension.ts';

/** The settings of the contract: default and scope. Users put these ids into files that they share. */
const contract: Readonly<Record<string, { readonly value: unknown; readonly scope: string }>> = {
  'handrail.claude.executable': { value: '', scope: 'machine' },
  'handrail.claude.environment': { value: {}, scope: 'machine' },
  'handrail.claude.extraArguments': { value: [], scope: 'machine' },
  'handrail.claude.idleTimeoutMinutes': { value: 60, scope: 'machine-overridable' },
  'handrail.permissions.initialMode': { value: 'default', scope: 'resource' },
  'handrail.permissions.allowBypass': { value: false, scope: 'machine' },
  'handrail.permissions.notify': { value: 'whenHidden', scope: 'window' },
  'handrail.model': { value: '', scope: 'resource' },
  'handrail.context.attach': { value: 'selection', scope: 'resource' },
  'handrail.context.deny': { value: ['**/.env*', '**/*.pem'], scope: 'resource' },
  'handrail.diff.open': { value: 'automatically', scope: 'window' },
};

/** Without these no conversation can be set up; the others come with their features. */
const firstSettings = ['handrail.claude.executable', 'handrail.claude.environment', 'handrail.claude.extraArguments'];

describe('Settings', () => {
  it('of the first conversation are declared', () => {
    const ids = declared().map(([id]) => id);
    assert.deepEqual(
      firstSettings.filter(id => !ids.includes(id)),
      [],
    );
  });

  it('have the scopes of the contract', () => {
    for (const [id, { scope }] of declared()) {
      const agreed = contract[id];
      if (agreed) assert.equal(scope ?? 'window', agreed.scope, id);
    }
  });

  it('have the defaults of the contract', () => {
    for (const [id] of declared()) {
      const agreed = contract[id];
      if (agreed) assert.deepEqual(vscode.workspace.getConfiguration().inspect(id)?.defaultValue, agreed.value, id);
    }
  });

  it('leave questions out only where the machine allows it and the person’s own settings ask for it', async () => {
    const { Global, Workspace } = vscode.ConfigurationTarget;
    const set = (name: string, value: unknown, target: vscode.ConfigurationTarget): Thenable<void> =>
      vscode.workspace.getConfiguration('handrail').update(`permissions.${name}`, value, target);
    const mode = (): string => new InitialMode(silentLogger).of(undefined);
    try {
      await set('initialMode', 'bypassPermissions', Global);
      assert.equal(mode(), 'default');
      await set('allowBypass', true, Global);
      assert.equal(mode(), 'bypassPermissions');
      await set('initialMode', 'bypassPermissions', Workspace);
      assert.equal(mode(), 'default');
    } finally {
      await set('initialMode', undefined, Workspace);
      await set('initialMode', undefined, Global);
      await set('allowBypass', undefined, Global);
      await vscode.commands.executeCommand('notifications.clearAll');
    }
  });

  it('all belong to Handrail', () => {
    for (const [id] of declared()) assert.match(id, /^handrail\./);
  });
});

function declared() {
  const { configuration } = manifest().contributes;
  return sections(configuration).flatMap(({ properties }) => Object.entries(properties));
}

function sections(configuration: ConfigurationSection | readonly ConfigurationSection[]) {
  return 'properties' in configuration ? [configuration] : configuration;
}
