// Starts the browser once and prints its version, or why there is none.
import { launch } from './browser.mjs';

try {
  const browser = await launch();
  console.log(JSON.stringify({ version: browser.version() }));
  await browser.close();
} catch (error) {
  console.log(JSON.stringify({ problem: String(error) }));
}
