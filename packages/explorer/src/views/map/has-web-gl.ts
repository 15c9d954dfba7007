let known: boolean | undefined;

/**
 * Whether the browser can draw a map. Asked once, and without keeping a context: a browser has about sixteen at a time, and
 * takes the oldest away for the next one, which would be that of the map.
 */
export function hasWebGl(): boolean {
  known ??= tryWebGl();
  return known;
}

function tryWebGl(): boolean {
  const context = document.createElement('canvas').getContext('webgl2');
  context?.getExtension('WEBGL_lose_context')?.loseContext();
  return context !== null;
}
