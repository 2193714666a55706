export const runDemo = async (_: { write: (text: string) => void; fast: boolean; keep: boolean }) => 0;
