/** Writes the service worker at the end of a build, with the list of the files that it keeps. */
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Plugin } from 'vite';

/** Files of the public folder that are of no use to a reader. */
const LEFT_OUT = /\.md$/;

export function offline(publicDir: string, template: string): Plugin {
  return {
    name: 'espalier-offline',
    apply: 'build',
    generateBundle(_, bundle) {
      const open = readdirSync(publicDir, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && !LEFT_OUT.test(entry.name))
        .map((entry) => relative(publicDir, join(entry.parentPath, entry.name)).replaceAll('\\', '/'));
      const files = [
        './',
        ...[...Object.keys(bundle).filter((name) => name !== 'index.html'), ...open]
          .sort()
          .map((name) => `./${name}`),
      ];
      const hash = createHash('sha256');
      for (const name of Object.keys(bundle).sort()) {
        const file = bundle[name]!;
        hash.update(name).update(file.type === 'chunk' ? file.code : file.source);
      }
      for (const name of open.sort()) hash.update(name).update(readFileSync(join(publicDir, name)));
      const source = readFileSync(template, 'utf8')
        .replace('__VERSION__', hash.digest('hex').slice(0, 12))
        .replace('__FILES__', JSON.stringify(files));
      this.emitFile({ type: 'asset', fileName: 'service-worker.js', source });
    },
  };
}
