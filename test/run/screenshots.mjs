// `npm run screenshots`: takes pictures of the real thing (packaged extension, real VS Code, real command line program,
// scripted model) into artifacts/screenshots. With --readme the best of them also go to docs/pictures.
import path from 'node:path';
import { bootstrap, program, root } from './lib/bootstrap.mjs';
import { importTs } from './lib/runTs.mjs';

await program(async ({ log, step }) => {
  await step('Dependencies', bootstrap);
  // After the dependencies: these modules need them.
  const { prepare } = await import('./layers/e2e.mjs');
  const artifacts = path.join(root, 'artifacts');
  const prepared = await step('VS Code, the agent and the packaged extension', note =>
    prepare({ root, log: note, artifacts }),
  );
  // Named here and not imported: that module belongs to the browser's side, whose types this program does not have.
  /** @type {{ takePictures: (options: { prepared: typeof prepared, folder: string, readmeFolder?: string, log: (line: string) => void }) => Promise<string[]> }} */
  const { takePictures } = await importTs('test/e2e/support/pictures.ts');
  const folder = path.join(artifacts, 'screenshots');
  const pictures = await step('Pictures', note =>
    takePictures({
      prepared,
      folder,
      ...(process.argv.includes('--readme') && { readmeFolder: path.join(root, 'docs', 'pictures') }),
      log: note,
    }),
  );
  /** @type {{ takeCardPictures: (options: { root: string, chromium: string, folder: string, log: (line: string) => void }) => Promise<string[]> }} */
  const { takeCardPictures } = await importTs('test/e2e/support/cardPictures.ts');
  const cards = await step('Every card in every theme', note =>
    takeCardPictures({ root, chromium: prepared.chromium, folder: path.join(folder, 'cards'), log: note }),
  );
  log(`${pictures.length + cards.length} pictures in ${path.relative(process.cwd(), folder)}`);
});
