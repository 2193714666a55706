import Anser from 'anser';

/** Terminal output as text with colours. Nothing in it is ever HTML: the colours become names of classes from a fixed list. */
export function Ansi({ text }: { readonly text: string }) {
  if (!text.includes('\u001b')) return <>{text}</>;
  const parts = Anser.ansiToJson(text, { json: true, use_classes: true, remove_empty: true });
  return (
    <>
      {parts.map(({ content, fg, decorations }, index) => {
        const names = [COLOURS.has(fg) ? fg : '', decorations.includes('bold') ? 'ansi-bold' : '', decorations.includes('dim') ? 'ansi-dim' : ''].filter(
          Boolean,
        );
        return names.length === 0 ? (
          content
        ) : (
          <span key={index} class={names.join(' ')}>
            {content}
          </span>
        );
      })}
    </>
  );
}

const COLOURS = new Set(['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'].flatMap((name) => [`ansi-${name}`, `ansi-bright-${name}`]));
