/** Letters, and what stands between them in names; no digits, no signs that links or addresses need. */
const name = /^[\p{L}\p{M}]+(?:[ '’-][\p{L}\p{M}]+)*$/u;
const longest = 20;

/**
 * A requester's name as it may stand in a text: at most 20 letters.
 *
 * @returns null for anything that could be an address, a link or a number
 */
export function senderName(typed: string): string | null {
  const text = typed.normalize('NFC').trim().replace(/\s+/g, ' ');
  return [...text].length <= longest && name.test(text) ? text : null;
}
