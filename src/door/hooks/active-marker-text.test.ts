import { describe, expect, it } from 'vitest';
import { readActiveMarker } from './active-marker-text.ts';

const snapshot = { 'US-001': { passes: false, reviewStatus: null, reviewCount: 0 }, 'US "2" 🎉': { passes: true, reviewStatus: 'approved', reviewCount: 2 } };
const seed = {
  timestamp: '2026-01-01T00:00:00Z',
  pid: 4711,
  max_iterations: 15,
  mode: 'direct',
  skipReview: true,
  reviewCap: 3,
  iterationMode: 'review-fix',
  preIterationSnapshot: snapshot,
};

describe('a marker', () => {
  it('is read as the seed writes it', () => {
    expect(readActiveMarker(JSON.stringify(seed))).toEqual({
      timestamp: '2026-01-01T00:00:00Z',
      pid: 4711,
      skipReview: true,
      reviewCap: 3,
      iterationMode: 'review-fix',
      preIterationSnapshot: snapshot,
      ralphDir: 'ralph',
      socket: null,
    });
  });

  it('may name the folder of the stories and the socket of its loop', () => {
    expect(readActiveMarker(JSON.stringify({ ralph_dir: 'sub/stories', socket: '/run/x.sock' }))).toMatchObject({
      ralphDir: 'sub/stories',
      socket: '/run/x.sock',
    });
  });

  it.each(['', '{', 'null', '[]', '"x"', '{"pid":"1","reviewCap":0,"iterationMode":"free","skipReview":"yes","ralph_dir":""}'])(
    'that says %j still means that a loop is running',
    (text) => {
      expect(readActiveMarker(text)).toEqual({
        timestamp: null,
        pid: null,
        skipReview: false,
        reviewCap: 5,
        iterationMode: null,
        preIterationSnapshot: null,
        ralphDir: 'ralph',
        socket: null,
      });
    },
  );

  it.each([
    { 'US-001': null },
    { 'US-001': { passes: 'no', reviewStatus: null, reviewCount: 0 } },
    { 'US-001': { passes: false, reviewStatus: 'odd', reviewCount: 0 } },
    [],
  ])('has no snapshot when one story in it is invalid: %j', (preIterationSnapshot) => {
    expect(readActiveMarker(JSON.stringify({ ...seed, preIterationSnapshot })).preIterationSnapshot).toBeNull();
  });
});
