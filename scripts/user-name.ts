import { userInfo } from 'node:os';

/** Who runs a command. Some systems have no name for that. */
export function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return 'unknown';
  }
}
