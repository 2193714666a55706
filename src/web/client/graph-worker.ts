import { Graph, layout } from '@dagrejs/dagre';
import type { TaskNode } from '../view/page.ts';

/** Lays a graph out beside the page, which stays smooth meanwhile. */
export interface GraphLayout {
  readonly width: number;
  readonly height: number;
  readonly nodes: readonly { readonly id: string; readonly x: number; readonly y: number }[];
  readonly edges: readonly { readonly from: string; readonly to: string; readonly points: readonly { readonly x: number; readonly y: number }[] }[];
}

export const NODE = { width: 184, height: 50 } as const;

export type GraphRequest = readonly Pick<TaskNode, 'id' | 'needs'>[];

function layOut(tasks: GraphRequest): GraphLayout {
  const graph = new Graph();
  graph.setGraph({ rankdir: 'LR', nodesep: 16, ranksep: 48, marginx: 12, marginy: 12 });
  graph.setDefaultEdgeLabel(() => ({}));
  const known = new Set(tasks.map(({ id }) => id));
  for (const { id } of tasks) graph.setNode(id, { ...NODE });
  for (const { id, needs } of tasks) for (const need of needs) if (known.has(need)) graph.setEdge(need, id);
  layout(graph);
  const { width = 0, height = 0 } = graph.graph() as { width?: number; height?: number };
  return {
    ...{ width, height },
    nodes: (graph.nodes() as readonly string[]).map((id) => ({ id, ...pointOf(graph.node(id)) })),
    edges: (graph.edges() as readonly { v: string; w: string }[]).map(({ v, w }) => ({
      from: v,
      to: w,
      points: (graph.edge(v, w) as { points?: { x: number; y: number }[] }).points ?? [],
    })),
  };
}

const pointOf = (node: unknown) => {
  const { x, y } = node as { x: number; y: number };
  return { x, y };
};

self.onmessage = ({ data }: MessageEvent<GraphRequest>) => self.postMessage(layOut(data));
