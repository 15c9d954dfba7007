import type { Metric } from '@locmetrics/client';
import { formatDay } from '../../format/dates.ts';
import { formatRange } from '../../format/periods.ts';
import { SERVICE_URL } from '../../session/session.ts';
import { Button } from '../../ui/button.tsx';
import { offerFile, saveFile } from '../../ui/save-file.ts';
import type { ChartData } from './chart-data.ts';
import { chartSvg, PICTURE_HEIGHT, PICTURE_WIDTH, type PictureWords } from './chart-svg.ts';
import { sourceWords } from './source-words.ts';

const SVG_TYPE = 'image/svg+xml';
/** Twice the size of the picture, so that it is sharp in print. */
const PNG_SCALE = 2;

/** Saves the chart as a picture with its title, source and date. */
export function SavePicture({
  chart,
  metric,
  title,
  words,
  fileName,
}: {
  readonly chart: ChartData;
  readonly metric: Metric;
  readonly title: string;
  /** What the chart makes of the values. */
  readonly words: string | undefined;
  readonly fileName: string;
}) {
  const draw = (): string =>
    chartSvg(chart, pictureWords({ chart, metric, title, words }), readColour);
  return (
    <>
      <Button size="small" onPress={() => saveFile(`${fileName}.svg`, draw(), SVG_TYPE)}>
        SVG
      </Button>
      <Button
        size="small"
        onPress={() => void toPng(draw()).then((png) => offerFile(`${fileName}.png`, png))}
      >
        PNG
      </Button>
    </>
  );
}

function pictureWords({
  chart: { points, isByYear },
  metric,
  title,
  words,
}: {
  readonly chart: ChartData;
  readonly metric: Metric;
  readonly title: string;
  readonly words: string | undefined;
}): PictureWords {
  const name = metric.listing || metric.id;
  const [first, last] = [points[0]?.key, points.at(-1)?.last];
  // The words of bars name their period.
  const isNamed = isByYear || points.length === 1;
  const days =
    isNamed || first === undefined || last === undefined || first === ''
      ? ''
      : formatRange(first, last);
  const today = formatDay(new Date().toISOString().slice(0, 10));
  return {
    title: `${name}: ${title}`,
    subtitle: [days, words].filter((part) => part !== undefined && part !== '').join('. '),
    source: `Source: ${sourceWords(metric)} · ${new URL(SERVICE_URL).host}, ${today}`,
  };
}

/** A colour of the theme as the page shows it now. */
function readColour(name: string): string {
  const probe = document.createElement('span');
  probe.style.color = name;
  document.body.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

async function toPng(svg: string): Promise<Blob> {
  const address = URL.createObjectURL(new Blob([svg], { type: SVG_TYPE }));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = new OffscreenCanvas(PICTURE_WIDTH * PNG_SCALE, PICTURE_HEIGHT * PNG_SCALE);
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await canvas.convertToBlob({ type: 'image/png' });
  } finally {
    URL.revokeObjectURL(address);
  }
}
