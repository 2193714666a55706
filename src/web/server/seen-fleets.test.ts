import { describe, expect, it } from 'vitest';
import { until } from '../../../test/support/until.ts';
import type { FleetView } from '../../report/views/fleet-view.ts';
import { openProject } from './project.ts';

describe('the page with fleets', () => {
  it('never waits for a store: one look at a time, and meanwhile what was last seen', async () => {
    const looks: { readonly resolve: (fleets: readonly FleetView[]) => void; readonly reject: (error: Error) => void }[] = [];
    const fleets = () => new Promise<readonly FleetView[]>((resolve, reject) => void looks.push({ resolve, reject }));
    using project = openProject({ name: 'p', folders: async () => [], quotaFolder: null, readOnly: true, fleets });
    const seen = async (nowMs: number) => (await project.overview(nowMs)).fleets;
    for (const nowMs of [0, 5_000, 10_000]) expect(await seen(nowMs)).toEqual({ seen: [], trouble: null });
    expect(looks).toHaveLength(1);
    const fleet = { fleet: 'f' } as FleetView;
    looks[0]?.resolve([fleet]);
    await until('the fleet is seen', async () => (await seen(10_000))?.seen.length === 1);
    expect(looks).toHaveLength(2);
    looks[1]?.reject(new Error('the store is away'));
    await until('the trouble is told', async () => (await seen(10_000))?.trouble !== null);
    expect(await seen(10_000)).toEqual({ seen: [fleet], trouble: 'the store is away' });
  });
});
