interface Settings {
  ENVIRONMENT: string;
  ACCESS_TEAM?: string;
  ACCESS_AUDIENCE?: string;
  CONSOLE_ROLES?: string;
}

/** Null where there is no console: in production until Access is fully configured. */
export function consoleMode(settings: Settings): 'access' | 'link' | null {
  const { ENVIRONMENT, ACCESS_TEAM, ACCESS_AUDIENCE, CONSOLE_ROLES } = settings;
  if (ACCESS_TEAM && ACCESS_AUDIENCE && CONSOLE_ROLES) return 'access';
  return ENVIRONMENT === 'production' || ACCESS_TEAM ? null : 'link';
}
