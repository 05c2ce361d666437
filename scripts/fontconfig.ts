import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { systemFontFiles } from './build/fonts.ts';

const folder = '.cache/fonts';
/**
 * Writes a Fontconfig file that knows our own fonts and none of the machine's, and returns its path.
 * Layout is then the same on every Linux machine. A script that they lack is drawn as empty boxes.
 */
export async function writeFontconfig(): Promise<string> {
  const files = await systemFontFiles();
  const globs = files.map((file) => `<glob>${resolve(file)}</glob>`).join('\n      ');
  const xml = `<?xml version="1.0"?>
<fontconfig>
  <dir>${resolve(folder)}</dir>
  <cachedir>${resolve(folder, 'fontconfig')}</cachedir>
  <selectfont>
    <acceptfont>
      ${globs}
    </acceptfont>
    <rejectfont><glob>*</glob></rejectfont>
  </selectfont>
  <match>
    <edit name="family" mode="append_last"><string>Inter</string><string>Cairo</string></edit>
  </match>
</fontconfig>
`;
  mkdirSync(folder, { recursive: true });
  const path = resolve(folder, 'fonts.conf');
  const unfinished = `${path}.${process.pid}`;
  writeFileSync(unfinished, xml);
  renameSync(unfinished, path);
  return path;
}
