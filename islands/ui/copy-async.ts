/** The clipboard is called inside the click, as browsers require. @throws the text's error, or the clipboard's */
export async function copyAsync(text: Promise<string>): Promise<void> {
  if (typeof ClipboardItem === 'undefined') return navigator.clipboard.writeText(await text);
  const blob = text.then((found) => new Blob([found], { type: 'text/plain' }));
  await navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })]);
}
