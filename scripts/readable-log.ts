/**
 * Makes a JSON line of the Worker's log readable: time, level, event, then its fields.
 *
 * @returns other lines as they are
 */
export function readable(line: string): string {
  try {
    const { ts, level, event, request: _, ...fields } = JSON.parse(line);
    const rest = Object.entries(fields).map(([name, value]) => `${name}=${value}`);
    return [String(ts).slice(11, 19), String(level).padEnd(5), event, ...rest].join(' ');
  } catch {
    return line;
  }
}
