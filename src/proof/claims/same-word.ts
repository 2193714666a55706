/** Upper-casing and composing can lengthen or shorten a text, by no more than this. */
const stretch = 4;

/**
 * Tells whether a text is exactly this word: trimmed, in any case, composed the same way. Unicode's own upper case is used, so no locale
 * decides whether a run is done. A blank word is never said.
 */
export function sameWord(word: string): (text: string) => boolean {
  const wanted = fold(word.trim());
  if (wanted === '') return () => false;
  return (text) => {
    const said = text.trim();
    return said.length <= wanted.length * stretch && fold(said) === wanted;
  };
}

const fold = (text: string) => text.normalize('NFC').toUpperCase();
