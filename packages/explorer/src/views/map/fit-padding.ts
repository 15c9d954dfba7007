import { isPhone } from '../../ui/use-phone.ts';

const LEGEND_SHARE = 0.35;
const CREDITS_PX = 40;
const EDGE_PX = 12;

/** The room around what a map is fitted to, in pixels. On a phone the legend covers the lower part, and the sources the upper edge. */
export function fitPadding({ clientHeight }: HTMLElement, around: number) {
  if (!isPhone()) {
    return { top: around, right: around, bottom: around, left: around };
  }
  const bottom = Math.round(clientHeight * LEGEND_SHARE);
  return { top: CREDITS_PX, right: EDGE_PX, bottom, left: EDGE_PX };
}
