// Runs in the browser, before the viewer's own script.

// The viewer's schema library tries out whether it may run text as code, which the content security policy reports.
globalThis.__zod_globalConfig = { jitless: true }

// By then the viewer's script has run, or has failed to load.
document.addEventListener('DOMContentLoaded', () => {
  globalThis.Scalar?.createApiReference('#viewer', {
    url: '/openapi.json',
    documentDownloadType: 'direct',
    defaultOpenAllTags: true,
    onLoaded: () => document.querySelector('#notice')?.remove(),
    // Everything that asks another host is off.
    withDefaultFonts: false,
    telemetry: false,
    agent: { disabled: true },
    mcp: { disabled: true },
    hideClientButton: true,
    showDeveloperTools: 'never',
    proxyUrl: '',
    externalUrls: { dashboardUrl: '', registryUrl: '', proxyUrl: '', apiBaseUrl: '' },
  })
})
