import { foreignMarker } from '../projections/foreign-marker.ts';
import { OperatorError } from '../../../kit/pure/operator-error.ts';
import { markerOf } from './open-stories.ts';

/** Some other loop on stories, of whatever make, is at work here: two would undo what the other does. */
export function refuseForeignMarker(home: string): void {
  const other = foreignMarker(markerOf(home), Date.now());
  if (other === null) return;
  throw new OperatorError('workspace-busy', `another loop is at work in this directory (pid ${other.pid}): .ralph-active says so`, {
    hint: 'Wait for it or stop it. If it is not one, remove .ralph-active.',
    exitCode: 4,
  });
}
