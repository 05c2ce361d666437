/** Letters with single spaces, apostrophes or hyphens between: no link, address or number fits. */
const name = /^[\p{L}\p{M}]+(?:[ '’-][\p{L}\p{M}]+)*$/u;
const maxLength = 20;

/** A requester's name for an SMS; null where it is too long or could be a link or a number. */
export function senderName(typed: string): string | null {
  const text = typed.normalize('NFC').trim().replace(/\s+/g, ' ');
  return [...text].length <= maxLength && name.test(text) ? text : null;
}
