// The licences of the packages that are bundled: their terms ask for them to travel with the code.
import fs from 'node:fs';
import path from 'node:path';

/**
 * @param {string} root
 * @param {readonly import('esbuild').Metafile[]} metafiles
 * @returns {string}
 */
export function thirdPartyNotices(root, metafiles) {
  const folders = new Set(
    metafiles
      .flatMap(({ inputs }) => Object.keys(inputs))
      .map(file => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1])
      .filter(folder => folder !== undefined),
  );
  const parts = [...folders].sort().map(folder => notice(path.join(root, folder)));
  return `Handrail contains the following packages.\n\n${parts.join('\n\n')}\n`;
}

/** @param {string} folder @returns {string} */
function notice(folder) {
  /** @type {{name: string, version: string, license?: string}} */
  const {
    name,
    version,
    license = 'no licence named',
  } = JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8'));
  const file = fs.readdirSync(folder).find(entry => /^licen[cs]e(\.(md|txt|markdown))?$/i.test(entry));
  const text = file ? fs.readFileSync(path.join(folder, file), 'utf8').trim() : '';
  return `${'='.repeat(72)}\n${name} ${version} (${license})\n\n${text}`;
}
