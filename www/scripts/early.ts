/** Puts a small script before the page's own in index.html. Written there by hand, the two would be bundled into one. */
import type { Plugin } from 'vite';

export function early(id: string): Plugin {
  return {
    name: 'espalier-early',
    apply: 'build',
    buildStart() {
      this.emitFile({ type: 'chunk', id, name: 'early', preserveSignature: 'allow-extension' });
    },
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle }) {
        const file = Object.values(bundle ?? {}).find(
          (one) => one.type === 'chunk' && one.isEntry && one.facadeModuleId === id,
        );
        const own = html.indexOf('<script type="module"');
        if (!file || own < 0)
          throw new Error(`${file ? 'index.html' : id} has no script of its own in the build`);
        return `${html.slice(0, own)}<script type="module" crossorigin src="./${file.fileName}"></script>\n    ${html.slice(own)}`;
      },
    },
  };
}
