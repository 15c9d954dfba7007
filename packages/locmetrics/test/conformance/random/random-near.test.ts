// @module-tag sized

import type { GeoCircle } from '@locmetrics/core/geometry/circle';
import { chordLimit } from '@locmetrics/core/geometry/circle';
import type { GeoCoordinate } from '@locmetrics/core/geometry/polygon';
import { chordSquared, unitVector } from '@locmetrics/core/geometry/unit-vector';
import { expect, test } from 'vitest';
import { randomNumbers } from '../../support/random-numbers.ts';
import { testCount } from '../../support/test-count.ts';
import { announceSeed } from '../../support/test-seed.ts';
import { COMPARED, rowEngineWith } from '../engines/engines.ts';
import { openService } from '../engines/service-under-test.ts';
import { defineTable, type Table } from '../table.ts';

/*
 * Points in clusters and on grids, over several blocks of the row store: circles, and pages in the order of the distance.
 * A plain sort of the squares of all chords decides.
 */

/** The number of tables. Each gets 30 questions. */
const TABLES = testCount('TABLES', { few: 2, all: 12 });
const QUESTIONS = 30;

const counts = { near: 0, left: 0 };
const rowEngine = rowEngineWith({
  onAccess: ({ kind }) => {
    if (kind === 'near') counts.near += 1;
  },
  onLeft: () => {
    counts.left += 1;
  },
});
/** Those of the run, and the row store with its accesses counted if they are the stores of this machine. */
const ENGINES = COMPARED.some(({ name }) => name === 'embedded')
  ? [...COMPARED.filter(({ name }) => name !== 'rows'), rowEngine]
  : COMPARED;

test('every engine orders records as a plain sort of their distances does, and finds those in circles', async () => {
  const random = randomNumbers(announceSeed('random near'));
  for (let number = 0; number < TABLES; number += 1) {
    const points = drawPoints(random, 600 + Math.floor(random() * 6000));
    // Some tables have records without a point, which come last.
    const absent = number % 2 === 0 ? 3 : 0;
    const table = tableOf(points, absent);
    const questions = Array.from({ length: QUESTIONS }, () => ({
      near: drawTarget(random, points),
      pageSize: [1, 7, 40][Math.floor(random() * 3)] ?? 1,
      radiusMetres: 10 ** (random() * 7.3),
    }));
    for (const engine of ENGINES) {
      const service = await openService(engine, [table]);
      try {
        for (const { near, pageSize, radiusMetres } of questions) {
          const circle = { ...near, radiusMetres };
          const sorted = sortPoints(points, near);
          const message = `${engine.name} ${JSON.stringify({ near, pageSize, radiusMetres })}`;
          const asked = { near, fields: ['id'], pageSize };
          const { rows, nextPageToken: pageToken } = await service.listRecords(asked);
          expect(idsOf(rows), message).toEqual(sorted.slice(0, pageSize));
          const second = await service.listRecords({ ...asked, pageToken });
          expect(idsOf(second.rows), message).toEqual(sorted.slice(pageSize, 2 * pageSize));
          const inside = sorted.filter((id) => isInside(points[Number(id)], circle));
          const found = await service.listRecords({ ...asked, circle });
          expect(idsOf(found.rows), message).toEqual(inside.slice(0, pageSize));
          expect(found.totalSize, message).toBe(inside.length);
        }
      } finally {
        await service.close();
      }
    }
  }
  if (ENGINES.includes(rowEngine)) {
    expect(counts.near).toBeGreaterThan(TABLES * QUESTIONS);
    expect(counts.left).toBeLessThan(counts.near / 2);
  }
}, 600_000);

function idsOf(rows: readonly (readonly unknown[])[]): readonly unknown[] {
  return rows.map(([id]) => id);
}

function drawPoints(random: () => number, count: number): readonly GeoCoordinate[] {
  const clusters = Array.from({ length: 5 }, () => ({
    longitude: random() * 360 - 180,
    latitude: random() * 180 - 90,
    size: 10 ** (random() * 4 - 3),
  }));
  const special = [
    { longitude: 180, latitude: 0, size: 1 },
    { longitude: 0, latitude: 90, size: 2 },
    { longitude: 0, latitude: 0, size: 0.01 },
  ];
  const centers = [...clusters, ...special];
  return Array.from({ length: count }, () => {
    if (random() < 0.2) {
      // Many are equally far from points of the grid.
      return {
        longitude: Math.floor(random() * 25) * 15 - 180,
        latitude: Math.floor(random() * 13) * 15 - 90,
      };
    }
    const center = centers[Math.floor(random() * centers.length)] ?? { ...special[0], size: 1 };
    const { longitude = 0, latitude = 0, size } = center;
    return {
      longitude: turned(longitude + (random() - 0.5) * size),
      latitude: Math.max(-90, Math.min(90, latitude + (random() - 0.5) * size)),
    };
  });
}

function drawTarget(random: () => number, points: readonly GeoCoordinate[]): GeoCoordinate {
  const choice = random();
  if (choice < 0.3) return { longitude: random() * 360 - 180, latitude: random() * 180 - 90 };
  if (choice < 0.5) {
    return {
      longitude: [-180, -90, 0, 90, 180][Math.floor(random() * 5)] ?? 0,
      latitude: [-90, -45, 0, 45, 90][Math.floor(random() * 5)] ?? 0,
    };
  }
  const { longitude, latitude } = points[Math.floor(random() * points.length)] ?? {
    longitude: 0,
    latitude: 0,
  };
  const beside = choice < 0.7 ? 0 : (random() - 0.5) * 0.1;
  return {
    longitude: turned(longitude + beside),
    latitude: Math.max(-90, Math.min(90, latitude - beside)),
  };
}

function turned(longitude: number): number {
  return longitude > 180 ? longitude - 360 : longitude < -180 ? longitude + 360 : longitude;
}

function chordTo({ longitude, latitude }: GeoCoordinate, to: GeoCoordinate): number {
  return chordSquared(unitVector(longitude, latitude), unitVector(to.longitude, to.latitude));
}

function sortPoints(points: readonly GeoCoordinate[], near: GeoCoordinate): readonly string[] {
  const chords = points.map((point, index) => ({ index, chord: chordTo(point, near) }));
  const sorted = chords.toSorted(
    (left, right) => left.chord - right.chord || left.index - right.index,
  );
  return sorted.map(({ index }) => idOf(index));
}

function isInside(point: GeoCoordinate | undefined, circle: GeoCircle): boolean {
  return point !== undefined && chordTo(point, circle) <= chordLimit(circle.radiusMetres);
}

function idOf(index: number): string {
  return String(index).padStart(5, '0');
}

function tableOf(points: readonly GeoCoordinate[], absent: number): Table {
  const nowhere = Array.from({ length: absent }, (_, index) => ({
    id: `x${index}`,
    latitude: null,
    longitude: null,
  }));
  return defineTable({
    name: 'conformance.random_near',
    fields: { id: 'string', latitude: 'float', longitude: 'float' },
    point: { latitude: 'latitude', longitude: 'longitude' },
    rows: [...points.map((point, index) => ({ id: idOf(index), ...point })), ...nowhere],
  });
}
