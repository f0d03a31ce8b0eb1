import { useCallback, useState } from 'react';
import { nextTheme, storedTheme, storeTheme, type Theme } from './theme.ts';

export function useTheme(): { readonly theme: Theme; readonly switchTheme: () => void } {
  const [theme, setTheme] = useState(storedTheme);
  const switchTheme = useCallback(() => {
    const next = nextTheme(storedTheme());
    storeTheme(next);
    setTheme(next);
  }, []);
  return { theme, switchTheme };
}
