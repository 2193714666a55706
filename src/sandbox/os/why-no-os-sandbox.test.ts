import { describe, expect, it } from 'vitest';
import { bubblewrapIsMissing } from '../../../test/support/bubblewrap.ts';
import { explainBubblewrap, findBubblewrap, osSandboxHere } from './why-no-os-sandbox.ts';

describe('why there is no wall of the operating system', () => {
  it.skipIf(bubblewrapIsMissing())('is nothing where it was tried out', async () => {
    expect(await osSandboxHere()).toEqual({ missing: null, lacks: null });
  });

  it.skipIf(bubblewrapIsMissing())('is no filter that the kernel does not take: then there is a wall without one', async () => {
    expect(await findBubblewrap(new Uint8Array(8))).toMatchObject({ kind: 'works', filter: null });
    expect(await osSandboxHere(null)).toEqual({ missing: null, lacks: expect.stringContaining('keyring of your session stays open') });
  });

  it('is told with the package to install', () => {
    expect(explainBubblewrap({ kind: 'missing' })).toMatchObject({
      why: 'bubblewrap is not installed',
      hint: expect.stringContaining('apt-get install bubblewrap'),
    });
  });

  it.each([
    ['bwrap: setting up uid map: Permission denied', 'AppArmor'],
    ['bwrap: loopback: Failed RTM_NEWADDR: Operation not permitted', 'AppArmor'],
    ['bwrap: No permissions to create new namespace, likely because the kernel does not allow non-privileged user namespaces.', 'unprivileged_userns_clone'],
    ["bwrap: Can't mount proc on /newroot/proc: Operation not permitted", 'systempaths=unconfined'],
    ['something new', 'Try it by hand'],
  ])('is told with what to do about %j', (complaint, hint) => {
    expect(explainBubblewrap({ kind: 'forbidden', complaint })).toMatchObject({ why: expect.stringContaining(complaint), hint: expect.stringContaining(hint) });
  });
});
