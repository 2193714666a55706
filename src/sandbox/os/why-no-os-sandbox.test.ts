import { describe, expect, it } from 'vitest';
import { bubblewrapIsMissing } from '../../../test/support/bubblewrap.ts';
import { explainBubblewrap, findBubblewrap, osSandboxHere } from './why-no-os-sandbox.ts';

describe('the availability of the os sandbox', () => {
  it.skipIf(bubblewrapIsMissing())('is complete where the sandbox works', async () => {
    expect(await osSandboxHere()).toEqual({ missing: null, lacks: null });
  });

  it.skipIf(bubblewrapIsMissing())('does not depend on the filter: if the kernel refuses it, the sandbox works without one', async () => {
    expect(await findBubblewrap(new Uint8Array(8))).toMatchObject({ kind: 'works', filter: null });
    expect(await osSandboxHere(null)).toEqual({ missing: null, lacks: expect.stringContaining('keyring of your session stays open') });
  });

  it('is explained with the package to install', () => {
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
  ])('is explained with what to do about %j', (complaint, hint) => {
    expect(explainBubblewrap({ kind: 'forbidden', complaint })).toMatchObject({ why: expect.stringContaining(complaint), hint: expect.stringContaining(hint) });
  });
});
