import type { Map as MaplibreMap } from 'maplibre-gl';

/**
 * Runs changes of a map once its style is loaded, which is with the next frame: until then it has no sources, and its layers
 * cannot be changed. What is to be done before all of them is given first. A browser can take the graphics of a map away,
 * above all on a phone, and the style with them: changes then wait until it gives them back.
 */
export function whenStyled(map: MaplibreMap, first: () => void): (show: () => void) => void {
  let isStyled = false;
  const early: (() => void)[] = [];
  map.on('style.load', () => {
    first();
    isStyled = true;
    for (const show of early.splice(0)) show();
  });
  map.on('webglcontextlost', () => {
    isStyled = false;
  });
  return (show) => {
    if (isStyled) show();
    else early.push(show);
  };
}
