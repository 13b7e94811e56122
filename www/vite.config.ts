import { fileURLToPath } from 'node:url';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';
import { offline } from './scripts/offline.ts';
import { early } from './scripts/early.ts';

export default defineConfig({
  // Relative addresses, so that the site works from any sub-path of any static host.
  base: './',
  plugins: [
    svelte(),
    early(fileURLToPath(new URL('src/app/early.ts', import.meta.url))),
    offline(
      fileURLToPath(new URL('public', import.meta.url)),
      fileURLToPath(new URL('src/workers/service-worker.js', import.meta.url)),
    ),
  ],
  worker: { format: 'es' },
  build: {
    outDir: '../dist',
    emptyOutDir: true,
    target: 'es2022',
    // Nothing becomes a data: address, which the content security policy would refuse for scripts and wasm.
    assetsInlineLimit: 0,
    // The preload helper is an inline script's job in other browsers; every browser we support preloads modules itself.
    modulePreload: { polyfill: false },
  },
  test: { include: ['src/**/*.test.ts'], environment: 'node' },
});
