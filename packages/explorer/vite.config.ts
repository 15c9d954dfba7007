import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

export default defineConfig({
  root: import.meta.dirname,
  // Relative, so that the page also works below a path of a proxy.
  base: './',
  plugins: [react(), leaveOutServices()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2023',
    // The map and the viewer of the API reference have chunks of their own, loaded only where they are shown.
    chunkSizeWarningLimit: 2500,
    // A font or an image inside the code would need `data:` in the content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // The place of each page in this folder is its address below that of the service.
      input: ['index.html', 'docs/api/index.html'].map((page) => join(import.meta.dirname, page)),
    },
  },
});

/**
 * Leaves out of the viewer of the API reference what would call services of its makers, and its icons for folders. All of it
 * is loaded only where it is turned on, and it never is.
 */
function leaveOutServices(): Plugin {
  const unused =
    /\/(?:ExploreScalarModal\.vue|explore-scalar\/index|AgentScalarDrawer\.vue|library\/icons)\.js$/;
  return {
    name: 'leave-out-services',
    enforce: 'pre',
    load: (id) => {
      if (!id.includes('/@scalar/') || !unused.test(id)) return undefined;
      return `
        export default {};
        export const ExploreScalarButton = {}, libraryIcons = [];
        export async function getLibraryIcon() {}
      `;
    },
  };
}
