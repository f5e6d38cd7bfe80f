import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { composerContent, promptContent } from '../../../../src/host/chat/promptContent.ts';
import { usageRows } from '../../../../src/host/chat/usageRows.ts';
import { splitContext, writeContext } from '../../../../src/host/context/contextText.ts';
import { withoutMentions } from '../../../../src/host/context/mentions.ts';
import { DenyList, globsOf } from '../../../../src/host/context/denyList.ts';
import { fill } from '../chat/fill.ts';

const piece = { what: 'selection', name: 'a "b" & c.ts:1-3', text: 'const one = 1;' } as const;

describe('a piece of the editor in a message', () => {
  it('is read again whatever the words and the pieces hold', () => {
    const anyPiece = fc.record({
      what: fc.constantFrom('selection' as const, 'file' as const, 'problems' as const),
      name: fc.string().map(name => name.replaceAll('\n', '')),
      text: fc.oneof(
        fc.string(),
        fc.constant('</editor-context>\n\n<editor-context what="file" name="" length="0">\n'),
      ),
    });
    fc.assert(
      fc.property(fc.array(anyPiece, { maxLength: 3 }), pieces => {
        const message = ['Words', ...pieces.map(writeContext)].join('\n\n');
        expect(splitContext(message)).toEqual({ words: 'Words', pieces });
      }),
    );
  });

  it('stays among the words when it is not exactly ours', () => {
    const told = 'See <editor-context what="selection" name="x" length="3">\nab\n</editor-context>';
    expect(splitContext(told)).toEqual({ words: told, pieces: [] });
    const wrong = writeContext(piece).replace('length="14"', 'length="4"');
    expect(splitContext(wrong)).toEqual({ words: wrong, pieces: [] });
  });

  it('goes out after the words and comes back to the composer as a chip', () => {
    const sent = promptContent('Look', [{ kind: 'context', id: 'x', ...piece }]);
    expect(sent).toBe(`Look\n\n${writeContext(piece)}`);
    expect(composerContent([sent], () => 'new')).toEqual({
      text: 'Look',
      attachments: [{ kind: 'context', id: 'new', ...piece }],
    });
  });
});

describe('the deny list', () => {
  const denied = (globs: readonly string[], path: string): boolean => new DenyList(globs).denies(path);
  const defaults = ['**/.env*', '**/*.pem'];

  it('keeps secrets out by default, wherever they lie', () => {
    for (const path of ['.env', '.env.local', 'app/.env', '.ENV', 'certs/Key.PEM', '/etc/ssl/a.pem', 'C:\\a\\.env']) {
      expect(denied(defaults, path), path).toBe(true);
    }
    for (const path of ['environment.ts', 'src/env.ts', 'pem.ts', 'docs/.environment/../a.md']) {
      expect(denied(defaults, path), path).toBe(path.includes('.env'));
    }
  });

  it('reads a folder as everything in it, a name as every depth, and braces', () => {
    expect(denied(['secrets/'], 'a/secrets/b/c.txt')).toBe(true);
    expect(denied(['**/private'], 'private/a.txt')).toBe(true);
    expect(denied(['*.{key,p12}'], 'deep/in/a.p12')).toBe(true);
    expect(denied(['*.{key,p12}'], 'a.txt')).toBe(false);
    expect(denied([], '.env')).toBe(false);
  });
});

describe('the deny list and names', () => {
  it('counts a file by every name it has: inside the workspace, from the root, and behind a link', async () => {
    const folder = await realpath(await mkdtemp(join(tmpdir(), 'hr-deny-')));
    try {
      await mkdir(join(folder, 'conf'));
      await writeFile(join(folder, 'conf/.env'), '');
      await symlink(join(folder, 'conf/.env'), join(folder, 'settings.txt'));
      const denied = (glob: string, path: string): boolean =>
        new DenyList([glob]).deniesFile(join(folder, path), name => relative(folder, name));
      expect(denied('**/.env*', 'settings.txt')).toBe(true);
      expect(denied('**/.env*', 'conf/a.txt')).toBe(false);
      expect(denied(`${folder}/conf/**`, 'conf/.env')).toBe(true);
      expect(denied('./conf/.env', 'conf/.env')).toBe(true);
      expect(denied('/conf', 'conf/.env')).toBe(true);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('lets a workspace deny more than the person does, never less', () => {
    expect(globsOf({ defaultValue: ['a'], workspaceValue: [] })).toEqual(['a']);
    expect(globsOf({ defaultValue: ['a'], globalValue: ['b'], workspaceValue: ['c'] })).toEqual(['b', 'c']);
    expect(globsOf({ defaultValue: ['a'], globalValue: [], workspaceFolderValue: ['c', 'c'] })).toEqual(['c']);
    expect(globsOf({ defaultValue: ['a'], globalValue: 'b', workspaceValue: 7 })).toEqual(['a']);
    for (const glob of ['!**/.env*', ' !.env', '{!.env,x}', 'x\n!.env', '~/x\r!.env']) {
      const globs = globsOf({ defaultValue: ['**/.env*'], workspaceValue: [glob], workspaceFolderValue: [glob] });
      expect(new DenyList(globs).denies('.env')).toBe(true);
    }
    expect(new DenyList(['#notes']).denies('#notes')).toBe(true);
    // The person may make exceptions of their own.
    expect(new DenyList(globsOf({ globalValue: ['.env*', '!.env.example'] })).denies('.env.example')).toBe(false);
  });
});

describe('what was selected and looks like a mention', () => {
  it('is no order to read a file that is there, and stays as it is otherwise', () => {
    const exists = (path: string): boolean => path === resolve('/p/notes.txt') || path === resolve('/p/a b.txt');
    const text = 'see @notes.txt, @"a b.txt" and\n@notes.txt#L1-2\n@Component({})\nme@notes.txt (@notes.txt)';
    const broken = withoutMentions(text, '/p', exists);
    expect(broken).toBe(
      'see \u2060@notes.txt, \u2060@"a b.txt" and\n\u2060@notes.txt#L1-2\n@Component({})\nme@notes.txt (@notes.txt)',
    );
    expect(withoutMentions(broken, '/p', exists)).toBe(broken);
  });
});

describe('what fills the context', () => {
  it('is listed biggest first, then what is held back, then what is free', () => {
    const rows = usageRows(
      {
        categories: [
          { id: 'free_space', name: 'Free space', tokens: 900, kind: 'free' },
          { id: 'memory_files', name: 'Memory files', tokens: 5, kind: 'used' },
          { id: 'system_prompt', name: 'System prompt', tokens: 80, kind: 'used' },
          { id: 'buffer', name: 'Buffer', tokens: 15, kind: 'buffer' },
          { id: 'tools', name: 'Tools', tokens: 40, kind: 'deferred', isDeferred: true },
          { id: 'none', name: 'Nothing', tokens: 0, kind: 'used' },
        ],
        totalTokens: 85,
        maxTokens: 1_000,
        percentage: 9,
        memoryFiles: [{ path: '/p/CLAUDE.md' }],
      },
      fill,
    );
    expect(rows.map(row => row.label)).toEqual(['System prompt', 'Tools', 'Memory files', 'Buffer', 'Free space']);
    expect(rows[0]?.description).toBe('80 tokens, 8%');
    expect(rows[1]?.description).toBe('40 tokens, loaded when needed');
    expect(rows[2]).toEqual({ label: 'Memory files', description: '5 tokens, <1%', detail: '/p/CLAUDE.md' });
  });
});
