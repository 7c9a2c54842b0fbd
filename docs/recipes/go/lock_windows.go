package main

import (
	"errors"
	"syscall"
)

const sharingViolation = syscall.Errno(32)

// Locks a file until the program ends, however it ends. True where another program has it.
func lock(file string) (bool, error) {
	name, err := syscall.UTF16PtrFromString(file)
	if err != nil {
		return false, err
	}
	// Shared with nobody. A signer does not inherit it.
	access := uint32(syscall.GENERIC_READ | syscall.GENERIC_WRITE)
	_, err = syscall.CreateFile(name, access, 0, nil, syscall.OPEN_ALWAYS, syscall.FILE_ATTRIBUTE_NORMAL, 0)
	return errors.Is(err, sharingViolation), err
}
