import type { Standing } from './standing.ts';

interface Look {
  /** One column wide in every terminal. */
  readonly mark: string;
  readonly fill: string;
  readonly stroke: string;
}

/** How each standing is shown, the same in every picture, in the order of a legend. */
export const looks = {
  complete: { mark: '✓', fill: '#d3f9d8', stroke: '#2b8a3e' },
  held: { mark: '▶', fill: '#d0ebff', stroke: '#1864ab' },
  ready: { mark: '●', fill: '#fff3bf', stroke: '#e67700' },
  waiting: { mark: '○', fill: '#f1f3f5', stroke: '#868e96' },
  blocked: { mark: '■', fill: '#ffe8cc', stroke: '#d9480f' },
  failed: { mark: '✗', fill: '#ffe3e3', stroke: '#c92a2a' },
  conflict: { mark: '≠', fill: '#f3d9fa', stroke: '#862e9c' },
} as const satisfies Record<Standing, Look>;

export const allStandings = Object.keys(looks) as readonly Standing[];
