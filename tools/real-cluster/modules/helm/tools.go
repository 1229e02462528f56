//go:build tools

// Package programs names the programs that the harness builds from this module.
package programs

import (
	_ "helm.sh/helm/v4/cmd/helm"
)
